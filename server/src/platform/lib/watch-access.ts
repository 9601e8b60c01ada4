import { Problem } from '@knowhow/shared/problem';
import { ignore } from './ignore.ts';

const intervalMs = 1000;

/**
 * Rechecks every second whether a long operation may continue. Returns a function that stops it.
 *
 * @param check throws a `Problem` if access is lost; other errors are ignored
 * @param onLost called once, with that problem
 */
export function watchAccess(
  check: () => Promise<unknown>,
  onLost: (why: Problem) => void,
): () => void {
  let isChecking = false;
  const runCheck = async () => {
    isChecking = true;
    try {
      await check();
    } catch (error) {
      if (error instanceof Problem) {
        clearInterval(timer);
        onLost(error);
      }
    } finally {
      isChecking = false;
    }
  };
  const timer = setInterval(() => {
    if (!isChecking) {
      runCheck().catch(ignore);
    }
  }, intervalMs);
  return () => clearInterval(timer);
}
