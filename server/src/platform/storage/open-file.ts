import { accessSync, constants, existsSync } from 'node:fs';
import { problem } from '@knowhow/shared/problem';
import Libsql from 'libsql';
import { errorCode } from '../lib/error-code.ts';
import { toWriteProblem } from '../lib/write-problem.ts';

/**
 * Opens an SQLite file, and creates it if it is missing. Throws a problem that names it if it is
 * not writable.
 */
export function openFile(path: string): Libsql.Database {
  try {
    if (existsSync(path)) {
      // The driver's error does not say why.
      accessSync(path, constants.R_OK | constants.W_OK);
    }
    return new Libsql(path);
  } catch (error) {
    throw errorCode(error)
      ? toWriteProblem(error, `The file ${path}`)
      : problem(
          'not-writable',
          `The file ${path} cannot be opened. Check that it is a regular file.`,
          {
            cause: error,
          },
        );
  }
}

/** Opens an existing file for reading, concurrently with its writer. */
export function openToRead(path: string): Libsql.Database {
  return new Libsql(path, { readonly: true });
}
