import { Problem, problem } from '@knowhow/shared/problem';
import { errorCode } from '../lib/error-code.ts';

const damaged =
  'it is damaged. Move knowhow.sqlite and the files beside it whose names begin so (-wal, -shm) away, and restore a backup with its data.';

const diskFailure = 'the disk has failed or is full. Look at it and at the log, then try again.';

/** What to do about it, by the first words of SQLite's code. */
const remedies: Record<string, string> = {
  SQLITE_FULL: 'there is no space left. Free some space on that disk, then try again.',
  SQLITE_READONLY: 'it is read-only. Let the server write to it, then try again.',
  SQLITE_IOERR: diskFailure,
  SQLITE_CANTOPEN: 'its files cannot be opened. Look at their permissions, then try again.',
  SQLITE_BUSY: 'another program holds it. Let that end, then try again.',
  SQLITE_NOTADB: damaged,
  SQLITE_CORRUPT: damaged,
};

/** What the disk or the operator is at fault for, as a problem with the next step; else undefined. */
export function databaseProblem(error: unknown): Problem | undefined {
  if (error instanceof Problem) {
    return error;
  }
  const code = errorCode(error)?.split('_', 2).join('_') ?? '';
  const remedy = Object.hasOwn(remedies, code) ? remedies[code] : undefined;
  return remedy === undefined ? undefined : unusable(remedy, error);
}

/** The same for what the disk said where nothing else may have failed. */
export function diskFailed(cause: unknown): Problem {
  return unusable(diskFailure, cause);
}

function unusable(remedy: string, cause: unknown): Problem {
  return problem('not-writable', `The database in the data folder cannot be used: ${remedy}`, {
    cause,
  });
}
