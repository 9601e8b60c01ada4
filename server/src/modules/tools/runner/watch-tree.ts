import { readdirSync, readFileSync } from 'node:fs';

const pollMs = 50;

/**
 * Watches the total memory of a process tree: kernel limits only apply per process.
 *
 * @param pid the root process
 * @param maxBytes limit of the tree
 * @returns stops watching
 */
export function watchTree(pid: number, maxBytes: number, onOver: () => void): () => void {
  const timer = setInterval(() => {
    const pids = treeOf(pid);
    // Pages shared after a fork should count once (PSS), which is more expensive to compute.
    if (sum(pids, ownMemory) > maxBytes && sum(pids, proportionalMemory) > maxBytes) {
      clearInterval(timer);
      onOver();
    }
  }, pollMs);
  return () => clearInterval(timer);
}

function sum(pids: readonly number[], memoryOf: (pid: number) => number): number {
  return pids.reduce((total, pid) => total + memoryOf(pid), 0);
}

function treeOf(pid: number): number[] {
  const found = [pid];
  for (const each of found) {
    // Children are listed per thread.
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

function proportionalMemory(pid: number): number {
  const rollup = read(`/proc/${pid}/smaps_rollup`);
  return rollup === '' ? ownMemory(pid) : kibibytes(rollup, /^Pss:\s*(\d+)/m);
}

function kibibytes(text: string, pattern: RegExp): number {
  return Number(pattern.exec(text)?.[1] ?? 0) * 1024;
}

/** Empty if the process has ended or is not accessible. */
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
