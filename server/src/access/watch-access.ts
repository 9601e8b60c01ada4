import { Problem } from '@knowhow/shared/problem';
import { ignore } from '../lib/ignore.ts';

const everyMs = 1000;

/**
 * Asks once a second whether something that takes long may go on, until the answer is called.
 *
 * @param check throws the problem that says why not; anything else it throws says nothing about that
 * @param onLost called once, with that problem
 */
export function watchAccess(
  check: () => Promise<unknown>,
  onLost: (why: Problem) => void,
): () => void {
  let isAsking = false;
  const ask = async () => {
    isAsking = true;
    try {
      await check();
    } catch (error) {
      if (error instanceof Problem) {
        clearInterval(timer);
        onLost(error);
      }
    } finally {
      isAsking = false;
    }
  };
  const timer = setInterval(() => {
    if (!isAsking) {
      ask().catch(ignore);
    }
  }, everyMs);
  return () => clearInterval(timer);
}
