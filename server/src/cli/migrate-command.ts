import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { problem } from '@knowhow/shared/problem';
import { formatCount } from '../platform/lib/format-count.ts';
import { lockInstallation } from '../platform/storage/lock-installation.ts';
import { type Database, openDatabase } from '../platform/storage/open-database.ts';
import { copyToPostgres } from '../platform/storage/postgres/copy-to-postgres.ts';
import { lockDatabase } from '../platform/storage/postgres/lock-database.ts';
import { openReadSnapshot } from '../platform/storage/read-snapshot.ts';
import { tables } from '../tables.ts';
import { openExistingDatabase } from './open-existing-database.ts';
import { pushCommand } from './push-command.ts';
import type { Installation, Terminal } from './terminal.ts';
import { UsageError } from './usage-error.ts';

const confirmationWord = 'migrate';

/**
 * Migrates an installation from SQLite and files into an empty PostgreSQL: rows in one transaction
 * with verification, then configuration and skills. An interrupted migration can be run again. No
 * server may run on either; the folders remain unchanged.
 */
export async function migrateCommand(
  url: string,
  yes: boolean,
  terminal: Terminal,
): Promise<number> {
  const source: Installation = { ...terminal.installation(), databaseUrl: undefined };
  const target: Installation = { ...source, databaseUrl: url };
  const lock = await lockInstallation(source);
  try {
    const from = await openExistingDatabase(source);
    try {
      if (!(await isConfirmed(source, yes, terminal)) || !(await copyInto(url, from, terminal))) {
        return 1;
      }
    } finally {
      await from.destroy();
    }
    const targetTerminal = { ...terminal, installation: () => target };
    const pushed = await pushCommand(
      source.contentsDirectory,
      { dryRun: false, yes: true, ifEmpty: false },
      targetTerminal,
    );
    if (pushed === 0) {
      terminal.out(await nextSteps(source));
    }
    return pushed;
  } finally {
    await lock.release();
  }
}

async function isConfirmed(
  source: Installation,
  yes: boolean,
  terminal: Terminal,
): Promise<boolean> {
  if (yes) {
    return true;
  }
  terminal.out(
    `Copies what is in ${source.dataDirectory} and ${source.contentsDirectory} into the database. Both folders stay as they are.`,
  );
  const answer = await terminal.ask(`Type "${confirmationWord}" to do that: `);
  if (answer === undefined) {
    throw new UsageError(
      'There is no terminal to confirm it. Add --yes to migrate without asking.',
    );
  }
  if (answer.trim() !== confirmationWord) {
    terminal.out('Nothing was copied.');
    return false;
  }
  return true;
}

/** Throws `conflict` if the database has other content. */
async function copyInto(url: string, from: Database, terminal: Terminal): Promise<boolean> {
  if (!/^postgres(?:ql)?:/.test(url)) {
    throw problem('bad-request', '--to takes the address of a PostgreSQL: postgresql://…');
  }
  const lock = await lockDatabase(url, { mayShare: false, onLost: () => undefined });
  const snapshot = await openReadSnapshot(from);
  try {
    const to = await openDatabase({ dataDirectory: '', databaseUrl: url }, tables.migrations);
    try {
      const isCopied = await copyToPostgres({
        from: snapshot.database,
        to,
        onTable: ({ table, rows, sum }) => {
          if (rows > 0) {
            terminal.out(`${table}: ${formatCount(rows, 'row')}, ${sum.slice(0, 16)}`);
          }
        },
      });
      terminal.out(
        isCopied ? 'All rows have arrived as they were.' : 'The rows are there already.',
      );
      return true;
    } finally {
      await to.destroy();
    }
  } finally {
    await snapshot.end();
    await lock.release();
  }
}

async function nextSteps({ dataDirectory }: Installation): Promise<string> {
  const file = join(dataDirectory, 'secret.key');
  const hasKey = await stat(file).then(
    () => true,
    () => false,
  );
  const key = hasKey ? `SECRET_KEY with what is in ${file}` : 'the previous SECRET_KEY';
  return `Start each server with this address as DATABASE_URL, and with ${key}.`;
}
