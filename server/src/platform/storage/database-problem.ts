import { Problem, problem } from '@knowhow/shared/problem';
import { errorCode } from '../lib/error-code.ts';
import { DatabaseUnavailable } from './database-unavailable.ts';

const damaged =
  'it is damaged. Move knowhow.sqlite and its companion files (-wal, -shm) away, and restore a backup with its data.';

const diskFailure = 'the disk has failed or is full. Check it and the log, then try again.';

/** Remedies, by the prefix of SQLite's error code, or PostgreSQL's SQLSTATE. */
const remedies: Record<string, string> = {
  SQLITE_FULL: 'there is no space left. Free some space on that disk, then try again.',
  SQLITE_READONLY: 'it is read-only. Let the server write to it, then try again.',
  SQLITE_IOERR: diskFailure,
  SQLITE_CANTOPEN: 'its files cannot be opened. Look at their permissions, then try again.',
  SQLITE_BUSY: 'another program has locked it. Wait until it ends, then try again.',
  SQLITE_NOTADB: damaged,
  SQLITE_CORRUPT: damaged,
  '53100': 'there is no space left. Free some space where PostgreSQL is, then try again.',
  '25006': 'it is read-only. Let the server write to it, then try again.',
  '42501': 'the server may not do this in it. Make the user of DATABASE_URL its owner.',
};

/**
 * Converts a disk or configuration error to a problem that names the next step; undefined for other
 * errors.
 */
export function databaseProblem(error: unknown): Problem | undefined {
  if (error instanceof Problem) {
    return error;
  }
  if (error instanceof DatabaseUnavailable) {
    return retrySoon('The database does not answer. Try again in a few seconds.', error);
  }
  if (retryableStates.includes(errorCode(error) ?? '')) {
    return retrySoon('The database was too busy for this. Try again in a few seconds.', error);
  }
  const code = errorCode(error)?.split('_', 2).join('_') ?? '';
  const remedy = Object.hasOwn(remedies, code) ? remedies[code] : undefined;
  return remedy === undefined ? undefined : unusable(remedy, error);
}

/** SQLSTATE codes for timeouts, deadlocks, serialization failures and lock timeouts. */
const retryableStates = ['57014', '40P01', '40001', '55P03'];

function retrySoon(message: string, cause: unknown): Problem {
  return problem('not-ready', message, { retryAfter: 5, cause });
}

/** Whether rows violate a constraint, such as a duplicate id. */
export function isContradiction(error: unknown): boolean {
  const code = error instanceof Problem ? '' : (errorCode(error) ?? '');
  return code.startsWith('SQLITE_CONSTRAINT') || /^23[0-9A-Z]{3}$/.test(code);
}

/** For I/O errors that can only come from the disk. */
export function diskFailed(cause: unknown): Problem {
  return unusable(diskFailure, cause);
}

function unusable(remedy: string, cause: unknown): Problem {
  return problem('not-writable', `The database cannot be used: ${remedy}`, {
    cause,
  });
}
