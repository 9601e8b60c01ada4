import { accessSync, constants, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type Libsql from 'libsql';
import { z } from 'zod';
import { errorCode } from '../lib/error-code.ts';
import { toWriteProblem } from '../lib/write-problem.ts';
import { openFile } from './open-file.ts';

/**
 * An exclusive lock of a data folder, until it is released or this process ends, however it ends.
 */
export interface FolderLock {
  release(): void;
}

/** Another process holds the folder. The message is one line for the operator. */
export class FolderInUse extends Error {}

const holderSchema = z.object({ pid: z.number(), host: z.string(), since: z.string() });

/** Waiting time for a process that is just starting or stopping. */
const maxWaitMs = 1000;

/**
 * Locks a data folder for this process, and creates it if it is missing.
 *
 * The operating system holds the lock: SQLite's own lock, on an empty file. It ends with the
 * process, so that no stale lock has to be detected, and it works across containers that share a
 * volume. It would be lost if this process opened and closed that file elsewhere.
 *
 * @throws FolderInUse
 */
export function lockFolder(folder: string): FolderLock {
  const database = openLock(folder);
  try {
    database.exec(`PRAGMA busy_timeout=${maxWaitMs}; BEGIN IMMEDIATE;`);
  } catch (error) {
    database.close();
    throw errorCode(error) === 'SQLITE_BUSY' ? new FolderInUse(describeHolder(folder)) : error;
  }
  try {
    writeHolder(folder);
  } catch (error) {
    database.close();
    throw toWriteProblem(error, `The file ${holderFile(folder)}`);
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
    throw toWriteProblem(error, `The data folder ${folder} (DATA_DIR)`);
  }
  return openFile(join(folder, 'server.lock'));
}

function writeHolder(folder: string): void {
  const holder = { pid: process.pid, host: hostname(), since: new Date().toISOString() };
  writeFileSync(holderFile(folder), `${JSON.stringify(holder)}\n`);
}

/** Only describes the holder; the lock itself is on the other file. */
function holderFile(folder: string): string {
  return join(folder, 'server.pid');
}

function describeHolder(folder: string): string {
  const inUse = `The data folder ${folder} is in use by another process`;
  const remedy = 'Stop that first, or set DATA_DIR to another folder.';
  try {
    const { pid, host, since } = holderSchema.parse(
      JSON.parse(readFileSync(holderFile(folder), 'utf8')),
    );
    return `${inUse}: ${pid} on ${host}, since ${since}. ${remedy}`;
  } catch {
    return `${inUse}. ${remedy}`;
  }
}
