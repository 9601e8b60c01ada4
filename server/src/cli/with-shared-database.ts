import { problem } from '@knowhow/shared/problem';
import type { ContentChange } from '../modules/content/index.ts';
import { formatCount } from '../platform/lib/format-count.ts';
import { type Database, openDatabase } from '../platform/storage/open-database.ts';
import { tables } from '../tables.ts';
import { renderTable } from './render-table.ts';
import type { Installation, Terminal } from './terminal.ts';
import { UsageError } from './usage-error.ts';

export interface SharingOptions {
  dryRun: boolean;
  /** Skips the confirmation. */
  yes: boolean;
}

const maxShownChanges = 200;

/** Runs with the installation's PostgreSQL. Throws if there is none. */
export async function withSharedDatabase(
  installation: Installation,
  run: (database: Database, url: string) => Promise<number>,
): Promise<number> {
  const { databaseUrl } = installation;
  if (databaseUrl === undefined) {
    throw problem(
      'conflict',
      'DATABASE_URL is not set. Configuration and skills are in the database on PostgreSQL only; without it they are in the folder CONTENTS_DIR.',
    );
  }
  const database = await openDatabase(installation, tables.migrations);
  try {
    return await run(database, databaseUrl);
  } finally {
    await database.destroy();
  }
}

/**
 * Prints the changes and asks for confirmation.
 *
 * @param word to be typed
 */
export async function confirmChanges(
  changes: readonly ContentChange[],
  { dryRun, yes, word }: SharingOptions & { word: string },
  terminal: Terminal,
): Promise<boolean> {
  terminal.out(render(changes));
  if (dryRun || changes.length === 0 || yes) {
    return !dryRun && changes.length > 0;
  }
  const answer = await terminal.ask(`Type "${word}" to do that: `);
  if (answer === undefined) {
    throw new UsageError(
      `There is no terminal to confirm it. Add --yes to ${word} without asking.`,
    );
  }
  if (answer.trim() !== word) {
    terminal.out('Nothing was changed.');
    return false;
  }
  return true;
}

function render(changes: readonly ContentChange[]): string {
  const rows = changes.map(({ path, before, after }) => [kindOf(before, after), path]);
  const count = (kind: string) => rows.filter(([word]) => word === kind).length;
  const hidden = rows.length - maxShownChanges;
  return [
    `${formatCount(count('added'), 'file')} added, ${count('changed')} changed, ${count('removed')} removed`,
    ...(rows.length > 0 ? [renderTable(rows.slice(0, maxShownChanges))] : []),
    ...(hidden > 0 ? [`and ${hidden} more`] : []),
  ].join('\n');
}

function kindOf(before: unknown, after: unknown): string {
  if (!before) {
    return 'added';
  }
  return after ? 'changed' : 'removed';
}
