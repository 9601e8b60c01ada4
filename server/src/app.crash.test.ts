import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { healthApi } from '@knowhow/shared/health';
import { beforeAll, expect, inject, test } from 'vitest';
import { bundledScript } from './testing/bundled-script.ts';
import { newWriters } from './testing/crash-writers.ts';
import { parseAnswer } from './testing/parse-answer.ts';
import { type Child, runChild } from './testing/run-child.ts';
import { seededRandom } from './testing/seeded-random.ts';
import {
  adminPassword,
  createVisitor,
  defaultFiles,
  type Visitor,
} from './testing/start-test-server.ts';
import { temporaryFolder, writeFiles } from './testing/write-files.ts';

/** Installations that crash side by side, for much of the time is waiting for the disk. */
const lanes = 4;
/** `npm run attack` crashes it more often. */
const crashesOfLane = Math.ceil(inject('crashes') / lanes);
/** Longer than any write takes, so that every moment of one is hit. */
const mostMs = 250;
/** The first lives end while the server starts, for the first time ever; then this share of all does. */
const firstStarts = 5;
const stillborn = 0.1;
/** The share of those that end with their first writes. */
const shortLived = 0.3;
/** Of the kinds of writes, those that go on beside the one that a life is for. */
const beside = 0.3;

const seed = inject('seed');

let script: string;

beforeAll(async () => {
  script = await bundledScript('crashing-server');
}, 60_000);

test(`wherever a server is killed, what was acknowledged is there, and nothing is half there (seed ${seed})`, async () => {
  const random = seededRandom(seed);
  const acknowledged: string[] = [];
  await Promise.all(Array.from({ length: lanes }, () => crashOverAndOver(random, acknowledged)));
  for (const kind of Object.keys(newWriters())) {
    const count = acknowledged.filter((each) => each === kind).length;
    expect(count, kind).toBeGreaterThan((lanes * crashesOfLane) / 40);
  }
}, 900_000);

/** @param acknowledged gets the kind of each write that was */
async function crashOverAndOver(random: () => number, acknowledged: string[]): Promise<void> {
  const folder = await temporaryFolder();
  await writeFiles(join(folder, 'contents'), defaultFiles);
  const writers = newWriters();
  let next = load(folder);
  let cookie: string | undefined;
  for (let crash = 0; crash < crashesOfLane; crash += 1) {
    const child = await next;
    if (crash + 1 < crashesOfLane) {
      next = load(folder);
    }
    child.process.stdin?.write('start\n');
    if (crash < firstStarts || random() < stillborn) {
      await wait(random() * mostMs);
      child.process.kill('SIGKILL');
      await child.ended;
      continue;
    }
    await child.says('port ');
    const url = `http://127.0.0.1:${/port (\d+)/.exec(child.output)?.[1]}`;
    cookie ??= await signIn(url);
    const admin = createVisitor(url, cookie);
    await checkFiles(folder, admin);
    for (const [kind, { check }] of Object.entries(writers)) {
      await expect(check(admin), kind).resolves.toBeUndefined();
    }

    acknowledged.push(...(await writeUntilKilled(child, admin, { writers, random })));
  }
}

type Writers = ReturnType<typeof newWriters>;

/** Lets several writers write, and kills the server in the middle of it. Gives what was acknowledged. */
async function writeUntilKilled(
  child: Child,
  admin: Visitor,
  { writers, random }: { writers: Writers; random: () => number },
): Promise<string[]> {
  const kinds = Object.keys(writers);
  const main = kinds[Math.floor(random() * kinds.length)];
  const acknowledged: string[] = [];
  let reportDone = () => {};
  const mainIsDone = new Promise<void>((resolve) => {
    reportDone = resolve;
  });
  const writing = kinds
    .filter((kind) => kind === main || random() < beside)
    .map((kind) =>
      repeat(async () => {
        await writers[kind]?.write(admin);
        acknowledged.push(kind);
        if (kind === main) {
          reportDone();
        }
      }),
    );
  if (random() > shortLived) {
    // A writer that is refused ends before.
    await Promise.race([mainIsDone, Promise.all(writing)]);
  }
  await wait(random() * mostMs);
  child.process.kill('SIGKILL');
  await Promise.all([...writing, child.ended]);
  return acknowledged;
}

async function load(folder: string) {
  const child = runChild(script, {
    cwd: folder,
    env: {
      CONTENTS_DIR: join(folder, 'contents'),
      DATA_DIR: join(folder, 'data'),
      ADMIN_PASSWORD: adminPassword,
    },
  });
  await child.says('loaded');
  return child;
}

async function signIn(url: string): Promise<string> {
  const response = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password: adminPassword }),
  });
  return response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
}

/** Every file can be read, every skill loads, and nothing unfinished is left. */
async function checkFiles(folder: string, admin: Visitor): Promise<void> {
  const ready = await parseAnswer(healthApi.ready.response, admin('/api/ready'));
  expect(ready).toMatchObject({ faults: 0, skills: { broken: 0 } });
  const files = await readdir(folder, { recursive: true });
  expect(files.filter((path) => /\.knowhow-staging|\.tmp$/.test(path))).toEqual([]);
}

/** Writes again and again until the server has gone. */
async function repeat(write: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      await write();
    } catch (error) {
      // What `fetch` throws when nobody answers any more.
      if (error instanceof TypeError) {
        return;
      }
      throw error;
    }
  }
}
