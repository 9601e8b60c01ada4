import { constants, setPriority } from 'node:os';

/**
 * Lets every other thread go before the one that calls this: for workers, so that requests are answered
 * while they work. Only Linux has priorities for threads; elsewhere it does nothing.
 */
export function lowerPriority(): void {
  if (process.platform !== 'linux') {
    return;
  }
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // A sandbox may refuse it. The work is the same.
  }
}
