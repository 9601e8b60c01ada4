import { closeSync, existsSync, openSync, readSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { problem } from '@knowhow/shared/problem';

/**
 * A marker file next to a database that has its tables. A first start that was interrupted leaves
 * none.
 */
const markerFile = 'initialised';
/** Signs of use from earlier versions, which had no marker file. */
const signsOfUse = [markerFile, 'session.key', 'snapshots', 'history'];

/** Marks the database in this folder as in use, for the next start. */
export function markInUse(directory: string): void {
  const path = join(directory, markerFile);
  if (!existsSync(path)) {
    writeFileSync(path, '', { mode: 0o600 });
  }
}

/**
 * Throws `write-problem` if the database file has been truncated or emptied. SQLite treats an empty
 * file as a new database, so that all accounts and conversations would silently be lost.
 */
export function assertNotTruncated(directory: string, path: string): void {
  const file = statSync(path, { throwIfNoEntry: false });
  if (!file?.isFile()) {
    return;
  }
  if (file.size === 0) {
    if (signsOfUse.some((name) => existsSync(join(directory, name)))) {
      throw damaged(path, 'is empty, though this data folder has been in use');
    }
    return;
  }
  // Pages in the write-ahead log may be missing in the file.
  const log = statSync(`${path}-wal`, { throwIfNoEntry: false });
  if (!log?.size && file.size < expectedSize(path)) {
    throw damaged(path, 'has lost its end');
  }
}

const headerBytes = 100;

/**
 * The size according to the file header
 * (https://www.sqlite.org/fileformat.html#the_database_header).
 */
function expectedSize(path: string): number {
  const header = Buffer.alloc(headerBytes);
  try {
    const file = openSync(path, 'r');
    try {
      readSync(file, header, 0, headerBytes, 0);
    } finally {
      closeSync(file);
    }
  } catch {
    // Opening the database later reports why it cannot be read.
    return 0;
  }
  if (header.toString('latin1', 0, 16) !== 'SQLite format 3\0') {
    return 0;
  }
  const pageBytes = header.readUInt16BE(16);
  const isKnown = header.readUInt32BE(24) === header.readUInt32BE(92);
  return isKnown ? (pageBytes === 1 ? 65_536 : pageBytes) * header.readUInt32BE(28) : 0;
}

function damaged(path: string, how: string) {
  return problem(
    'not-writable',
    `The database ${path} ${how}. Put the file back from a copy; or move it and its companion files (-wal, -shm) away, start, and restore a backup with its data.`,
  );
}
