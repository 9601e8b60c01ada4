import {
  accessSync,
  constants,
  type Dirent,
  lstatSync,
  readdirSync,
  readFileSync,
  type Stats,
  statSync,
} from 'node:fs';
import { access, lstat, readdir, readFile, stat } from 'node:fs/promises';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

// File operations for scanning thousands of files. A round trip through Node's thread pool takes
// several times as long as a local disk. Operations therefore run synchronously, in time slices
// that keep the event loop responsive. If the disk is slow, e.g. on a network, they use the thread
// pool for a while.

const sliceMs = 4;
const slowMs = 20;
/** Threshold for switching to the thread pool: share of slow operations. */
const slowShare = 1 / 200;
const slowAllowed = 3;
const poolMs = 60_000;

let sliceEnds = 0;
let turn: Promise<void> | undefined;
let slow = 0;
let poolEnds = 0;

export const pacedStat = (path: string): Promise<Stats> => paced(path, statNow, statLater);

export const pacedLstat = (path: string): Promise<Stats> => paced(path, lstatNow, lstatLater);

/** Undefined if it does not exist. */
export const pacedLstatIfAny = (path: string): Promise<Stats | undefined> =>
  paced(path, lstatIfAnyNow, lstatIfAnyLater);

export const pacedReadFolder = (path: string): Promise<Dirent[]> =>
  paced(path, readFolderNow, readFolderLater);

export const pacedReadFile = (path: string): Promise<Buffer> =>
  paced(path, readFileNow, readFileLater);

/** Throws if the file is not readable. */
export const pacedMayRead = (path: string): Promise<void> => paced(path, mayReadNow, mayReadLater);

const mayReadNow = (path: string) => accessSync(path, constants.R_OK);
const mayReadLater = (path: string) => access(path, constants.R_OK);
const statNow = (path: string) => statSync(path);
const statLater = (path: string) => stat(path);
const lstatNow = (path: string) => lstatSync(path);
const lstatLater = (path: string) => lstat(path);
const lstatIfAnyNow = (path: string) => lstatSync(path, { throwIfNoEntry: false });
const lstatIfAnyLater = (path: string) => lstat(path).catch(() => undefined);
const readFolderNow = (path: string) => readdirSync(path, { withFileTypes: true });
const readFolderLater = (path: string) => readdir(path, { withFileTypes: true });
const readFileNow = (path: string) => readFileSync(path);
const readFileLater = (path: string) => readFile(path);

/**
 * Runs an operation synchronously in a time slice, or asynchronously while the disk is slow. Throws
 * what either throws.
 *
 * @param now must take only milliseconds
 */
export function paced<Result>(
  path: string,
  now: (path: string) => Result,
  later: (path: string) => Promise<Result>,
): Promise<Result> {
  const started = performance.now();
  if (started < poolEnds) {
    return later(path);
  }
  if (started > sliceEnds) {
    return nextSlice().then(() => paced(path, now, later));
  }
  try {
    return Promise.resolve(now(path));
  } catch (error) {
    return Promise.reject(error);
  } finally {
    noteSlowness(started, performance.now());
  }
}

function nextSlice(): Promise<void> {
  turn ??= yieldToEventLoop().then(() => {
    sliceEnds = performance.now() + sliceMs;
    turn = undefined;
  });
  return turn;
}

function noteSlowness(started: number, ended: number): void {
  slow = ended - started > slowMs ? slow + 1 : Math.max(0, slow - slowShare);
  if (slow > slowAllowed) {
    slow = 0;
    poolEnds = ended + poolMs;
  }
}
