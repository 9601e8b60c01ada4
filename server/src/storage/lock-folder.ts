import { accessSync, constants, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type Libsql from 'libsql';
import { z } from 'zod';
import { errorCode } from '../lib/error-code.ts';
import { notWritable } from '../lib/not-writable.ts';
import { openFile } from './open-file.ts';

/** A data folder that is ours until it is given back, or until this process ends, however it ends. */
export interface FolderLock {
  release(): void;
}

/** Somebody else has the folder. The message is for the operator, in one line. */
export class FolderInUse extends Error {}

const holderSchema = z.object({ pid: z.number(), host: z.string(), since: z.string() });

/** One who is just starting or stopping is waited for. */
const patienceMs = 1000;

/**
 * Takes a data folder, made when missing, for this process alone.
 *
 * The operating system keeps the lock: SQLite's own, on a file that holds nothing. It goes with the
 * process, so that there is no stale one to judge, and it holds between containers that share a
 * volume. It would be lost if this process opened and closed that file by itself.
 *
 * @throws FolderInUse
 */
export function lockFolder(folder: string): FolderLock {
  const database = openLock(folder);
  try {
    database.exec(`PRAGMA busy_timeout=${patienceMs}; BEGIN IMMEDIATE;`);
  } catch (error) {
    database.close();
    throw errorCode(error) === 'SQLITE_BUSY' ? new FolderInUse(describeHolder(folder)) : error;
  }
  try {
    writeHolder(folder);
  } catch (error) {
    database.close();
    throw notWritable(error, `The file ${holderFile(folder)}`);
  }
  return {
    release: () => {
      rmSync(holderFile(folder), { force: true });
      database.close();
    },
  };
}

function openLock(folder: string): Libsql.Database {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.W_OK);
  } catch (error) {
    throw notWritable(error, `The data folder ${folder} (DATA_DIR)`);
  }
  return openFile(join(folder, 'server.lock'));
}

function writeHolder(folder: string): void {
  const holder = { pid: process.pid, host: hostname(), since: new Date().toISOString() };
  writeFileSync(holderFile(folder), `${JSON.stringify(holder)}\n`);
}

/** Only says who has the lock; the lock itself is in the other file. */
function holderFile(folder: string): string {
  return join(folder, 'server.pid');
}

function describeHolder(folder: string): string {
  const inUse = `The data folder ${folder} is in use by another process`;
  const wayOut = 'Stop that first, or set DATA_DIR to another folder.';
  try {
    const { pid, host, since } = holderSchema.parse(
      JSON.parse(readFileSync(holderFile(folder), 'utf8')),
    );
    return `${inUse}: ${pid} on ${host}, since ${since}. ${wayOut}`;
  } catch {
    return `${inUse}. ${wayOut}`;
  }
}
