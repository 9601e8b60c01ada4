import { expect } from 'vitest';
import type { Visitor } from './start-test-server.ts';

/**
 * A kind of write, repeated against a server that gets killed. Acknowledged writes must persist;
 * others may or may not, but never partially.
 */
export interface CrashWriter {
  /** Performs the next write; resolves once acknowledged. */
  write(admin: Visitor): Promise<void>;
  /** Checks after a restart; throws if something is missing. */
  check(admin: Visitor): Promise<void>;
}

/**
 * Writes an item in versions 1, 2, …
 *
 * @param put writes a version
 * @param find returns the current version
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
