import { join } from 'node:path';
import { beforeAll, expect, inject, test } from 'vitest';
import { bundledScript } from './testing/bundled-script.ts';
import { crashOverAndOver } from './testing/crash-over-and-over.ts';
import { newWriters } from './testing/crash-writers.ts';
import { seededRandom } from './testing/seeded-random.ts';
import { defaultFiles } from './testing/start-test-server.ts';
import { temporaryFolder, writeFiles } from './testing/write-files.ts';

/** Processes that crash side by side, for some of the time is waiting for the disk. */
const hosts = 2;
/** Each serves so many installations, which crash with it: to load takes longer than to start one. */
const perHost = 4;
const installations = hosts * perHost;
/** `npm run attack` crashes them more often. */
const crashes = Math.ceil(inject('crashes') / installations);
const seed = inject('seed');

beforeAll(async () => void (await bundledScript('crashing-server')), 60_000);

test(`wherever a server is killed, what was acknowledged is there, and nothing is half there (seed ${seed})`, async () => {
  const random = seededRandom(seed);
  const crashAll = async () => {
    const folders = await Promise.all(Array.from({ length: perHost }, makeInstallation));
    return crashOverAndOver({ folders, crashes, random });
  };
  const acknowledged = (await Promise.all(Array.from({ length: hosts }, crashAll))).flat();
  for (const kind of Object.keys(newWriters())) {
    const count = acknowledged.filter((each) => each === kind).length;
    expect(count, kind).toBeGreaterThanOrEqual(Math.floor((installations * crashes) / 40));
  }
}, 900_000);

async function makeInstallation(): Promise<string> {
  const folder = await temporaryFolder();
  await writeFiles(join(folder, 'contents'), defaultFiles);
  return folder;
}
