import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { beforeAll, expect, inject, onTestFinished, test } from 'vitest';
import { manifestZip, readFileTree } from '../../testing/backup-calls.ts';
import { bundledScript } from '../../testing/bundled-script.ts';
import { openTestDatabase } from '../../testing/open-test-database.ts';
import { type Child, runChild } from '../../testing/run-child.ts';
import { seededRandom } from '../../testing/seeded-random.ts';
import { skillFile } from '../../testing/skill-folder.ts';
import { otherDisk } from '../../testing/test-folders.ts';
import { temporaryFolder } from '../../testing/write-files.ts';
import { recoverRestore } from './recover-restore.ts';

const layouts = ['together', 'data elsewhere', 'skills elsewhere'] as const;
/** Crashes of a process that restores into all layouts concurrently. */
const crashes = 17;
/** Longer than most restores, so that a crash may occur at any moment. */
const maxMs = 400;
/** Approximate duration of the moves. */
const movingMs = 150;
const seed = inject('seed');

let script: string;

beforeAll(async () => {
  script = await bundledScript('restoring-process');
}, 60_000);

test(`leaves exactly one complete state, whenever a restore is killed (seed ${seed})`, async () => {
  const random = seededRandom(seed);
  const lanes = await Promise.all(layouts.map(openLane));
  onTestFinished(async () => {
    await Promise.all(
      lanes.map(({ elsewhere }) => rm(elsewhere, { recursive: true, force: true })),
    );
  });
  let unfinished = 0;
  let next = load(lanes);
  for (let crash = 0; crash < crashes; crash += 1) {
    const child = await next;
    next = load(lanes);
    await killAtRandom(child, lanes, random);
    const interrupted = await Promise.all(
      lanes.map((lane, at) => checkAfterCrash(lane, child, at)),
    );
    unfinished += interrupted.filter(Boolean).length;
  }
  (await next).process.kill('SIGKILL');
  // Some crashes must hit the moves, and some restores must succeed.
  expect(unfinished).toBeGreaterThan(5);
  expect(lanes.reduce((sum, { number }) => sum + number, 0)).toBeGreaterThan(5);
}, 120_000);

type Layout = (typeof layouts)[number];

/** Whether the process was killed during the moves. */
async function checkAfterCrash(lane: Lane, { output }: Child, at: number): Promise<boolean> {
  const last = [...output.matchAll(new RegExp(`^${at} restored (\\d+)$`, 'gm'))].at(-1);
  const acknowledged = Number(last?.[1] ?? lane.number);
  const isUnfinished = (await readdir(lane.data)).includes('restore.json');
  const found = await stateAfterRecovery(lane);
  expect([acknowledged, acknowledged + 1].map((each) => each % states.length)).toContain(found);
  lane.number = found === acknowledged % states.length ? acknowledged : acknowledged + 1;
  return isUnfinished;
}

interface Lane {
  contents: string;
  data: string;
  /** On another disk, if there is one. */
  elsewhere: string;
  backups: string[];
  /** Number of the last restore that succeeded. */
  number: number;
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
  return { contents, data, elsewhere, backups, number: 0 };
}

/** Three states with different files, skills and users. */
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

async function load(lanes: readonly Lane[]): Promise<Child> {
  const child = runChild(script, { args: [JSON.stringify(lanes)] });
  await child.says('loaded');
  return child;
}

/** Lets the process restore in each lane until it is killed. */
async function killAtRandom(
  child: Child,
  lanes: readonly Lane[],
  random: () => number,
): Promise<void> {
  child.process.stdin?.write(`${lanes.map(({ number }) => number + 1).join(' ')}\n`);
  for (const [at, { number }] of lanes.entries()) {
    await child.says(number === 0 ? `${at} restored 1` : `${at} begins`);
  }
  const chosen = Math.floor(random() * lanes.length);
  const kind = random();
  if (kind < 0.2) {
    await child.says(`${chosen} restored ${(lanes[chosen]?.number ?? 0) + 1}`);
  } else if (kind < 0.6) {
    await wait(random() * maxMs);
  } else {
    // Waits until the journal is written.
    while (!existsSync(join(lanes[chosen]?.data ?? '', 'restore.json'))) {
      await wait(1);
    }
    await wait(random() * movingMs);
  }
  child.process.kill('SIGKILL');
  await child.ended;
}

/** The number of the complete state found; checks that nothing else exists. */
async function stateAfterRecovery({ contents, data, elsewhere }: Lane): Promise<number> {
  const database = await openTestDatabase(data);
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
    ? Object.entries(await readFileTree(elsewhere)).map(([path, text]) => [`skills/${path}`, text])
    : [];
  expect(users).toHaveLength(1);
  expect({ ...(await readFileTree(contents)), ...Object.fromEntries(skills) }).toEqual(
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
