import { stat } from 'node:fs/promises';

/** How often everything is looked at, in ms: some disks tell a watch nothing. */
const everythingMs = 8000;
/** How often the folders of the sources themselves are: that costs next to nothing. */
const rootsMs = 1500;

/**
 * Calls `check` now and then, and soon after another folder has taken the place of one of `roots`, or one
 * has come or gone: a watch stays with the folder that was there. Gives the function that ends it.
 */
export function checkRegularly(roots: () => readonly string[], check: () => void): () => void {
  let known = new Map<string, number | undefined>();
  const checkRoots = async () => {
    const inodes = await Promise.all(
      roots().map(async (root) => {
        const found = await stat(root).catch(() => undefined);
        return [root, found?.ino] as const;
      }),
    );
    const isOther = inodes.some(([root, inode]) => known.has(root) && known.get(root) !== inode);
    known = new Map(inodes);
    if (isOther) {
      check();
    }
  };
  void checkRoots();
  const timers = [setInterval(check, everythingMs), setInterval(checkRoots, rootsMs)];
  for (const timer of timers) {
    timer.unref();
  }
  return () => {
    for (const timer of timers) {
      clearInterval(timer);
    }
  };
}
