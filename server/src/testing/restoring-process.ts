import { once } from 'node:events';
import { promises } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { setTimeout as wait } from 'node:timers/promises';
import { allowVariables } from '../modules/content/allowed-variables.ts';
import { openContentStore } from '../modules/content/content-store.ts';
import { createBackups } from '../modules/operations/backups.ts';
import { recoverRestore } from '../modules/operations/recover-restore.ts';
import { createLocalCluster } from '../platform/cluster/local-cluster.ts';
import { openDatabase } from '../platform/storage/open-database.ts';
import { tables } from '../tables.ts';

// Run by tests in a separate process, to be killed: restores backups repeatedly, in several
// installations in parallel. Receives their folders as JSON. Loads first, and starts each with the
// backup of the given number.

// Slowed down, so that it may be killed between any two of them.
const { rename } = promises;
promises.rename = async (from, to) => {
  await wait(1);
  await rename(from, to);
};
syncBuiltinESMExports();

interface Lane {
  contents: string;
  data: string;
  backups: string[];
}

const lanes = JSON.parse(process.argv[2] ?? '') as Lane[];
process.stdout.write('loaded\n');
const [numbers] = await once(process.stdin, 'data');
const first = String(numbers).split(' ').map(Number);
await Promise.all(lanes.map((lane, at) => restoreForever(lane, at, first[at] ?? 0)));

async function restoreForever(lane: Lane, at: number, from: number): Promise<void> {
  const { contents: contentsDirectory, data: dataDirectory, backups } = lane;
  const database = await openDatabase({ dataDirectory }, tables.migrations);
  await recoverRestore({ database, contentsDirectory, dataDirectory });
  const allow = allowVariables({});
  const content = await openContentStore(contentsDirectory, allow);
  const { restore } = createBackups({
    contentsDirectory,
    dataDirectory,
    skillsExtraDirectories: [],
    skillsExtraRecursive: [],
    allow,
    version: '0.1.0',
    cluster: createLocalCluster(),
    database,
    tables,
    contents: () => content.current,
    exclusively: (run) => run(),
    reload: async () => void (await content.reload()),
  });
  process.stdout.write(`${at} begins\n`);
  for (let number = from; ; number += 1) {
    await restore(backups[number % backups.length] ?? '', { by: { id: 'test', name: 'Test' } });
    process.stdout.write(`${at} restored ${number}\n`);
  }
}
