import { readFile } from 'node:fs/promises';
import { ignore } from '../../../platform/lib/ignore.ts';

const pollMs = 200;
const pageBytes = 4096;

/**
 * Calls `onExceeded` when a process and its child processes use more memory than a limit. Does nothing on systems
 * without `/proc`. Returns a function that stops watching.
 */
export function watchMemory(pid: number, maxBytes: number, onExceeded: () => void): () => void {
  const timer = setInterval(() => {
    memoryOf(pid)
      .then((bytes) => {
        if (bytes > maxBytes) {
          onExceeded();
        }
      })
      .catch(ignore);
  }, pollMs);
  return () => clearInterval(timer);
}

/** Resident memory in bytes. */
async function memoryOf(pid: number): Promise<number> {
  const read = (file: string) => readFile(`/proc/${pid}/${file}`, 'utf8');
  const [sizes, children] = await Promise.all([read('statm'), read(`task/${pid}/children`)]);
  const below = children.split(' ').filter(Boolean).map(Number);
  // A child process may have ended since.
  const used = await Promise.all(below.map((child) => memoryOf(child).catch(() => 0)));
  return used.reduce((sum, bytes) => sum + bytes, Number(sizes.split(' ')[1]) * pageBytes);
}
