import { stat } from 'node:fs/promises';
import { ignore } from '../../../platform/lib/ignore.ts';

/** Polling interval, which costs next to nothing. */
const rootMs = 1500;

/**
 * Calls `onOther` soon after the folder at a path is replaced, created or deleted: a watch stays on
 * the old folder. Returns a function that stops it.
 */
export function watchRoot(path: string, onOther: () => void): () => void {
  let known: { inode: number | undefined } | undefined;
  const check = async () => {
    const found = await stat(path).catch(() => undefined);
    const isOther = known && known.inode !== found?.ino;
    known = { inode: found?.ino };
    if (isOther) {
      onOther();
    }
  };
  const checkNow = () => {
    check().catch(ignore);
  };
  checkNow();
  const timer = setInterval(checkNow, rootMs).unref();
  return () => clearInterval(timer);
}
