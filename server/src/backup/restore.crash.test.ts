import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { beforeAll, expect, inject, test } from 'vitest';
import { openDatabase } from '../storage/open-database.ts';
import { manifestZip, treeOf } from '../testing/backup-calls.ts';
import { bundledScript } from '../testing/bundled-script.ts';
import { type Child, runChild } from '../testing/run-child.ts';
import { seededRandom } from '../testing/seeded-random.ts';
import { skillFile } from '../testing/skill-folder.ts';
import { otherDisk } from '../testing/test-folders.ts';
import { temporaryFolder } from '../testing/write-files.ts';
import { recoverRestore } from './recover-restore.ts';

const crashesOfLane = 17;
/** Longer than most restores take, so that every moment of one is hit. */
const mostMs = 250;
/** How long it takes to move everything, about. */
const movingMs = 100;
const seed = inject('seed');

let script: string;

beforeAll(async () => {
  script = await bundledScript('restoring-process');
}, 60_000);

test(`wherever a restore is killed, the state is one whole backup afterwards (seed ${seed})`, async () => {
  const random = seededRandom(seed);
  const crashed = await Promise.all(
    (['together', 'data elsewhere', 'skills elsewhere'] as const).map((layout) =>
      crashOverAndOver(layout, random),
    ),
  );
  // Some were hit while things were being moved, and some restores went through.
  expect(sum(crashed.map(({ unfinished }) => unfinished))).toBeGreaterThan(5);
  expect(sum(crashed.map(({ number }) => number))).toBeGreaterThan(5);
}, 120_000);

type Layout = 'together' | 'data elsewhere' | 'skills elsewhere';

async function crashOverAndOver(layout: Layout, random: () => number) {
  const lane = await openLane(layout);
  let number = 0;
  let unfinished = 0;
  let next = load(lane);
  try {
    for (let crash = 0; crash < crashesOfLane; crash += 1) {
      const child = await next;
      next = load(lane);
      const acknowledged = await killAtRandom(child, { number, random, data: lane.data });
      unfinished += (await readdir(lane.data)).includes('restore.json') ? 1 : 0;

      const found = await stateAfterRecovery(lane);
      expect([acknowledged, acknowledged + 1].map((each) => each % states.length)).toContain(found);
      number = found === acknowledged % states.length ? acknowledged : acknowledged + 1;
    }
    (await next).process.kill('SIGKILL');
    return { number, unfinished };
  } finally {
    await rm(lane.elsewhere, { recursive: true, force: true });
  }
}

interface Lane {
  contents: string;
  data: string;
  /** On another disk, where there is one. */
  elsewhere: string;
  backups: string[];
}

async function openLane(layout: Layout): Promise<Lane> {
  const folder = await temporaryFolder();
  const elsewhere = join(otherDisk(), `knowhow-crash-${process.pid}-${layout.replace(' ', '-')}`);
  const contents = join(folder, 'contents');
  const data = layout === 'data elsewhere' ? elsewhere : join(folder, 'data');
  await mkdir(contents);
  await mkdir(elsewhere, { recursive: true });
  if (layout === 'skills elsewhere') {
    await symlink(elsewhere, join(contents, 'skills'));
  }
  const backups = states.map((_, number) => join(folder, `${number}.zip`));
  for (const [number, files] of states.entries()) {
    await writeFile(backups[number] ?? '', manifestZip(files));
  }
  return { contents, data, elsewhere, backups };
}

/** Three states with other files, other skills and other people. */
const states = [0, 1, 2].map((number) => ({
  'contents/apps/chat.json': { id: 'chat', name: `Chat ${number}` },
  [`contents/apps/own-${number}.json`]: { id: `own-${number}`, name: 'Own' },
  'contents/config/groups.json': {
    groups: { admins: { id: 'admins', name: 'Admins', permissions: { adminAccess: true } } },
  },
  [`contents/pages/${number}/page.md`]: `${number}`,
  ...Object.fromEntries(
    Array.from({ length: 8 }, (_, at) => [
      `contents/skills/skill-${(at + number) % 10}/SKILL.md`,
      skillFile('skill', `It is of state ${number}.`),
    ]),
  ),
  'data/users.jsonl': `${JSON.stringify({
    id: `5e0c3dd5-5d64-4b06-8a5c-5a1ca6a2a4a${number}`,
    username: `user-${number}`,
    name: 'User',
    password_hash: '$2b$04$pYsAJBkqsg7V/GjecHS8JObwsMJE5JHkoZuxEjqg/5vc07gRa3v/S',
    groups: '["admins"]',
    disabled: 0,
    created_at: '2026-08-01T10:00:00.000Z',
  })}\n`,
}));

async function load({ contents, data, backups }: Lane): Promise<Child> {
  const child = runChild(script, { args: [contents, data, ...backups] });
  await child.says('loaded');
  return child;
}

/** Lets it restore until it is killed: gives the number of the last one that was acknowledged. */
async function killAtRandom(
  child: Child,
  { number, random, data }: { number: number; random: () => number; data: string },
): Promise<number> {
  child.process.stdin?.write(`${number + 1}\n`);
  await child.says(number === 0 ? 'restored 1' : 'begins');
  const kind = random();
  if (kind < 0.2) {
    await child.says(`restored ${number + 1}`);
  } else if (kind < 0.6) {
    await wait(random() * mostMs);
  } else {
    // Once it has written down what it is about to move.
    while (!existsSync(join(data, 'restore.json'))) {
      await wait(1);
    }
    await wait(random() * movingMs);
  }
  child.process.kill('SIGKILL');
  await child.ended;
  return Number(/restored (\d+)\n$/.exec(child.output)?.[1] ?? number);
}

/** The number of the state that is there, wholly and with nothing else. */
async function stateAfterRecovery({ contents, data, elsewhere }: Lane): Promise<number> {
  const database = await openDatabase(data);
  await recoverRestore({ database, contentsDirectory: contents, dataDirectory: data });
  const users = await database.selectFrom('users').select('username').execute();
  await database.destroy();
  const found = Number(users[0]?.username.slice('user-'.length));
  const expected = Object.entries(states[found] ?? {})
    .map(([path, content]): [string, string] => [
      path,
      typeof content === 'string' ? content : JSON.stringify(content, null, 2),
    ])
    .filter(([path]) => path.startsWith('contents/'))
    .map(([path, content]): [string, string] => [path.slice('contents/'.length), content]);
  const isLink = (await readdir(elsewhere)).some((name) => name.startsWith('skill-'));
  const skills = isLink
    ? Object.entries(await treeOf(elsewhere)).map(([path, text]) => [`skills/${path}`, text])
    : [];
  expect(users).toHaveLength(1);
  expect({ ...(await treeOf(contents)), ...Object.fromEntries(skills) }).toEqual(
    Object.fromEntries(expected),
  );
  const left = [contents, elsewhere, data, join(data, 'tmp')].map((folder) => readdir(folder));
  expect((await Promise.all(left)).flat().filter((name) => /^\.|restore\.json/.test(name))).toEqual(
    [],
  );
  const snapshots = await readdir(join(data, 'snapshots'));
  expect(snapshots.length).toBeLessThanOrEqual(5);
  expect(snapshots.filter((name) => name.endsWith('.new'))).toEqual([]);
  return found;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
