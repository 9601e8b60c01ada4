import { stat } from 'node:fs/promises';
import { ignore } from '../lib/ignore.ts';

/** That costs next to nothing. */
const rootMs = 1500;

/**
 * Calls `onOther` soon after another folder has taken the place of the one at a path, or one has come or
 * gone: a watch stays with the folder that was there. Gives the function that ends it.
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
