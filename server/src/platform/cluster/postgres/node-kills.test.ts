import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { crashRepeatedly } from '../../../testing/crash-repeatedly.ts';
import { newWriters } from '../../../testing/crash-writers.ts';
import { seededRandom } from '../../../testing/seeded-random.ts';
import { createNodes } from '../../../testing/start-nodes.ts';
import { temporaryFolder } from '../../../testing/write-files.ts';

/** Installations with separate databases, which crash in parallel. */
const installations = 4;
/** Half as many crashes as on SQLite. */
const crashes = Math.ceil(inject('crashes') / 2 / installations);
const seed = inject('seed');

test(`keeps everything acknowledged and nothing partial, whenever a node is killed (seed ${seed})`, async () => {
  const folders = await Promise.all(Array.from({ length: installations }, makeInstallation));
  const acknowledged = await crashRepeatedly({ folders, crashes, random: seededRandom(seed) });
  const kinds = Object.keys(newWriters());
  for (const kind of kinds) {
    const count = acknowledged.filter((each) => each === kind).length;
    expect(count, kind).toBeGreaterThan((installations * crashes) / 40 - 1);
  }
  expect(acknowledged.length).toBeGreaterThan(kinds.length);
}, 3_600_000);

async function makeInstallation(): Promise<string> {
  const folder = await temporaryFolder();
  const { environment } = await createNodes();
  await writeFile(join(folder, 'environment.json'), JSON.stringify(environment));
  return folder;
}
