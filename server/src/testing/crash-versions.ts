import { expect } from 'vitest';
import type { Visitor } from './start-test-server.ts';

/**
 * Writes one kind of thing again and again, to a server that is killed meanwhile. A write that was
 * answered is there after it; the one that was not is there or not, but never half.
 */
export interface CrashWriter {
  /** The next write; resolves when it is acknowledged. */
  write(admin: Visitor): Promise<void>;
  /** After the next start: throws when something is missing. */
  check(admin: Visitor): Promise<void>;
}

/**
 * One thing in versions 1, 2, …
 *
 * @param put writes a version
 * @param find says which version is there
 */
export function versions(
  put: (admin: Visitor, version: number) => Promise<Response>,
  find: (admin: Visitor, tried: number) => Promise<number>,
): CrashWriter {
  let tried = 0;
  let acknowledged = 0;
  return {
    write: async (admin) => {
      tried += 1;
      const response = await put(admin, tried);
      expect(response.status, await response.text()).toBeLessThan(300);
      acknowledged = tried;
    },
    check: async (admin) => {
      const version = await find(admin, tried);
      expect([acknowledged, tried]).toContain(version);
      tried = version;
      acknowledged = version;
    },
  };
}
