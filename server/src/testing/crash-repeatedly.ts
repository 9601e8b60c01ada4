import { readdir } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { healthApi } from '@knowhow/shared/config/health';
import { expect } from 'vitest';
import { bundledScript } from './bundled-script.ts';
import { newWriters } from './crash-writers.ts';
import { openGate } from './open-gate.ts';
import { parseAnswer } from './parse-answer.ts';
import { type Child, readPorts, runChild } from './run-child.ts';
import { adminCookie } from './sign-in-admin.ts';
import { adminPassword, createVisitor, type Visitor } from './start-test-server.ts';
import { waitFor } from './wait-for.ts';
import { temporaryFolder } from './write-files.ts';

/** Longer than any write, so that crashes hit every moment of one. */
const maxLifeMs = 250;
/** The first lives crash during the very first starts, later ones with this probability. */
const firstStarts = 3;
/** Longer than most starts. */
const startMs = 500;
const stillborn = 0.1;
/** The share of lives that crash during their first writes. */
const shortLived = 0.3;
/** The probability of each additional kind of write in a life. */
const extraWriterShare = 0.3;

interface Installation {
  folder: string;
  writers: ReturnType<typeof newWriters>;
  cookie?: string;
}

interface Crashing {
  /** Installations, with `contents/`, served by one process and crashing with it. */
  folders: string[];
  crashes: number;
  random: () => number;
}

/**
 * Runs all kinds of writes while repeatedly killing their server. Returns the kinds of acknowledged
 * writes.
 */
export async function crashRepeatedly({ folders, crashes, random }: Crashing): Promise<string[]> {
  const all = folders.map((folder): Installation => ({ folder, writers: newWriters() }));
  const acknowledged: string[] = [];
  const chosen: string[] = [];
  let next = load(all);
  for (let crash = 0; crash < crashes; crash += 1) {
    const child = await next;
    if (crash + 1 < crashes) {
      next = load(all);
    }
    child.process.stdin?.write('start\n');
    if (crash < firstStarts || random() < stillborn) {
      await wait(random() * startMs);
      child.process.kill('SIGKILL');
      await child.ended;
      continue;
    }
    const ports = await readPorts(child);
    const admins = await Promise.all(all.map((each, at) => checkAfterCrash(each, ports[at])));
    await writeUntilKilled(child, { all, admins, random, acknowledged, chosen });
  }
  return acknowledged;
}

/** Returns a visitor signed in as its admin. */
async function checkAfterCrash(installation: Installation, port?: string): Promise<Visitor> {
  const url = `http://127.0.0.1:${port}`;
  installation.cookie ??= await adminCookie({ url });
  const admin = createVisitor(url, installation.cookie);
  await checkFiles(installation.folder, admin);
  for (const [kind, { check }] of Object.entries(installation.writers)) {
    await expect(check(admin), kind).resolves.toBeUndefined();
  }
  return admin;
}

interface Writing {
  all: Installation[];
  /** One per installation. */
  admins: Visitor[];
  random: () => number;
  /** Kinds of all writes acknowledged so far. */
  acknowledged: string[];
  /** Main kinds of all lives so far. */
  chosen: string[];
}

type Choice = Pick<Writing, 'random' | 'acknowledged' | 'chosen'>;

/** Kills the server during writes to all installations, and records acknowledged ones. */
async function writeUntilKilled(
  child: Child,
  { all, admins, random, acknowledged, chosen }: Writing,
): Promise<void> {
  const begun = admins.map((admin, at) =>
    beginWrites(admin, all[at]?.writers ?? {}, { random, acknowledged, chosen }),
  );
  if (random() > shortLived) {
    await Promise.all(begun.map(({ mainIsDone }) => mainIsDone));
  }
  await wait(random() * maxLifeMs);
  child.process.kill('SIGKILL');
  await Promise.all([...begun.map(({ ended }) => ended), child.ended]);
}

/** Runs several writers until the server is gone; the main one always. */
function beginWrites(
  admin: Visitor,
  writers: Installation['writers'],
  { random, acknowledged, chosen }: Choice,
) {
  const kinds = Object.keys(writers);
  const main = chooseMain(kinds, { random, acknowledged, chosen });
  const done = openGate();
  const writing = kinds
    .filter((kind) => kind === main || random() < extraWriterShare)
    .map((kind) =>
      repeat(async () => {
        await writers[kind]?.write(admin);
        acknowledged.push(kind);
        if (kind === main) {
          done.open();
        }
      }),
    );
  const ended = Promise.all(writing);
  // A rejected writer ends earlier.
  return { mainIsDone: Promise.race([done.passed, ended]), ended };
}

/**
 * The kind acknowledged least and, of several, the one chosen least: installations begin at the same
 * time, and a slow machine must cover all kinds in a few lives.
 */
function chooseMain(kinds: string[], { random, acknowledged, chosen }: Choice): string | undefined {
  const rare = leastFrequent(leastFrequent(kinds, acknowledged), chosen);
  const main = rare[Math.floor(random() * rare.length)];
  if (main !== undefined) {
    chosen.push(main);
  }
  return main;
}

function leastFrequent(kinds: string[], among: readonly string[]): string[] {
  const countOf = (kind: string) => among.filter((each) => each === kind).length;
  const least = Math.min(...kinds.map(countOf));
  return kinds.filter((kind) => countOf(kind) === least);
}

async function load(all: Installation[]) {
  const child = runChild(await bundledScript('crashing-server'), {
    args: all.map(({ folder }) => folder),
    cwd: await temporaryFolder(),
    env: { ADMIN_PASSWORD: adminPassword },
  });
  await child.says('loaded');
  return child;
}

/** All files are readable, all skills load, and no temporary files are left. */
async function checkFiles(folder: string, admin: Visitor): Promise<void> {
  const ready = await parseAnswer(healthApi.ready.response, admin('/api/ready'));
  expect(ready).toMatchObject({ faults: 0, skills: { broken: 0 } });
  // The server is running: it may be about to rename a temporary file.
  await waitFor(async () => {
    const files = await readdir(folder, { recursive: true });
    return files.every((path) => !/\.knowhow-staging|\.tmp$/.test(path));
  });
}

/** Repeats a write until the server is gone. */
async function repeat(write: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      await write();
    } catch (error) {
      // `fetch` throws this when the connection is lost.
      if (error instanceof TypeError) {
        return;
      }
      throw error;
    }
  }
}
