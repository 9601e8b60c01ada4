import { readdirSync, readFileSync } from 'node:fs';

const everyMs = 50;

/**
 * Watches how much memory a process and all below it use together: limits of the kernel are for each one.
 *
 * @param pid the first process
 * @param most bytes
 * @returns ends the watch
 */
export function watchTree(pid: number, most: number, onOver: () => void): () => void {
  const timer = setInterval(() => {
    const pids = treeOf(pid);
    // What is shared after a fork counts once only, but costs more to find out.
    if (sum(pids, ownMemory) > most && sum(pids, fairMemory) > most) {
      clearInterval(timer);
      onOver();
    }
  }, everyMs);
  return () => clearInterval(timer);
}

function sum(pids: readonly number[], memoryOf: (pid: number) => number): number {
  return pids.reduce((total, pid) => total + memoryOf(pid), 0);
}

function treeOf(pid: number): number[] {
  const found = [pid];
  for (const each of found) {
    // A child is listed with the thread that began it.
    for (const thread of list(`/proc/${each}/task`)) {
      const children = read(`/proc/${each}/task/${thread}/children`);
      found.push(...children.split(' ').filter(Boolean).map(Number));
    }
  }
  return found;
}

function ownMemory(pid: number): number {
  const status = read(`/proc/${pid}/status`);
  return kibibytes(status, /^RssAnon:\s*(\d+)/m) + kibibytes(status, /^RssShmem:\s*(\d+)/m);
}

function fairMemory(pid: number): number {
  const rollup = read(`/proc/${pid}/smaps_rollup`);
  return rollup === '' ? ownMemory(pid) : kibibytes(rollup, /^Pss:\s*(\d+)/m);
}

function kibibytes(text: string, pattern: RegExp): number {
  return Number(pattern.exec(text)?.[1] ?? 0) * 1024;
}

/** Nothing of a process that has gone, or that may not be looked at. */
function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

function list(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}
