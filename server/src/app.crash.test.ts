import { join } from 'node:path';
import { beforeAll, expect, inject, test } from 'vitest';
import { bundledScript } from './testing/bundled-script.ts';
import { crashRepeatedly } from './testing/crash-repeatedly.ts';
import { newWriters } from './testing/crash-writers.ts';
import { seededRandom } from './testing/seeded-random.ts';
import { defaultFiles } from './testing/start-test-server.ts';
import { temporaryFolder, writeFiles } from './testing/write-files.ts';

/** Crashing processes that run in parallel, since they often wait for the disk. */
const hosts = 2;
/** Installations per process, which crash with it: loading takes longer than starting. */
const perHost = 4;
const installations = hosts * perHost;
/** `npm run attack` uses more crashes. */
const crashes = Math.ceil(inject('crashes') / installations);
const seed = inject('seed');

beforeAll(async () => void (await bundledScript('crashing-server')), 60_000);

test(`keeps acknowledged writes and no partial ones wherever a server is killed (seed ${seed})`, async () => {
  const random = seededRandom(seed);
  const crashAll = async () => {
    const folders = await Promise.all(Array.from({ length: perHost }, makeInstallation));
    return crashRepeatedly({ folders, crashes, random });
  };
  const acknowledged = (await Promise.all(Array.from({ length: hosts }, crashAll))).flat();
  for (const kind of Object.keys(newWriters())) {
    const count = acknowledged.filter((each) => each === kind).length;
    expect(count, kind).toBeGreaterThanOrEqual(Math.floor((installations * crashes) / 40));
  }
}, 900_000);

/** One in each process reviews edits of skill folders: its own writes must not become edits. */
async function makeInstallation(_: unknown, index: number): Promise<string> {
  const folder = await temporaryFolder();
  const publishing = { files: index === 0 ? 'review' : 'direct' };
  const config = { 'config/skills.json': { skills: {}, settings: { publishing } } };
  await writeFiles(join(folder, 'contents'), { ...defaultFiles, ...config });
  return folder;
}
