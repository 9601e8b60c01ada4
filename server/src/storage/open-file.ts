import { accessSync, constants, existsSync } from 'node:fs';
import { problem } from '@knowhow/shared/problem';
import Libsql from 'libsql';
import { errorCode } from '../lib/error-code.ts';
import { notWritable } from '../lib/not-writable.ts';

/** Opens a file of SQLite, made when missing. Throws a problem that names it when it may not be written. */
export function openFile(path: string): Libsql.Database {
  try {
    if (existsSync(path)) {
      // The library's own error does not say why.
      accessSync(path, constants.R_OK | constants.W_OK);
    }
    return new Libsql(path);
  } catch (error) {
    throw errorCode(error)
      ? notWritable(error, `The file ${path}`)
      : problem('not-writable', `The file ${path} cannot be opened. Look whether it is a file.`, {
          cause: error,
        });
  }
}

/** Opens one that is there and in use, to read it beside whoever writes. */
export function openToRead(path: string): Libsql.Database {
  return new Libsql(path, { readonly: true });
}
