import { type Dirent, lstatSync, readdirSync, readFileSync, type Stats, statSync } from 'node:fs';
import { lstat, readdir, readFile, stat } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';

// For looking at thousands of files. Handing one operation to Node's pool of threads and back takes
// several times as long as a local disk takes to answer, so the operations are done at once, in slices
// that leave the event loop free in between. Where the disk turns out to be slow, as a network's may,
// they go to the pool after all.

const sliceMs = 8;
const slowMs = 20;
const slowAllowed = 3;

let sliceEnds = 0;
let turn: Promise<unknown> | undefined;
let slow = 0;

export const pacedStat = (path: string): Promise<Stats> =>
  paced(
    () => statSync(path),
    () => stat(path),
  );

export const pacedLstat = (path: string): Promise<Stats> =>
  paced(
    () => lstatSync(path),
    () => lstat(path),
  );

export const pacedReadFolder = (path: string): Promise<Dirent[]> =>
  paced(
    () => readdirSync(path, { withFileTypes: true }),
    () => readdir(path, { withFileTypes: true }),
  );

export const pacedReadFile = (path: string): Promise<Buffer> =>
  paced(
    () => readFileSync(path),
    () => readFile(path),
  );

async function paced<Result>(now: () => Result, later: () => Promise<Result>): Promise<Result> {
  if (slow > slowAllowed) {
    return later();
  }
  while (performance.now() > sliceEnds) {
    turn ??= nextTurn().then(() => {
      sliceEnds = performance.now() + sliceMs;
      turn = undefined;
    });
    await turn;
  }
  const started = performance.now();
  try {
    return now();
  } finally {
    slow += performance.now() - started > slowMs ? 1 : 0;
  }
}
