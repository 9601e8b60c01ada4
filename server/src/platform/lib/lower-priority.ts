import { constants, setPriority } from 'node:os';

/**
 * Lowers the priority of the calling worker thread, so that requests are answered first. Only Linux
 * supports this; a no-op elsewhere.
 */
export function lowerPriority(): void {
  if (process.platform !== 'linux') {
    return;
  }
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // May be forbidden in a sandbox; not essential.
  }
}
