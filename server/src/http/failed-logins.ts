import { problem } from '@knowhow/shared/problem';

/** Counts wrong passwords, per address and per name, a minute. */
export interface FailedLogins {
  /** Throws `too-many-requests` when there were too many of late. */
  begin(address: string, username: string): { failed(): void };
}

const windowMs = 60_000;
const maxKept = 10_000;

/** @param limit failures a minute; 0 switches the limit off */
export function createFailedLogins(limit: () => number): FailedLogins {
  const failures = new Map<string, number[]>();
  const recent = (key: string) =>
    (failures.get(key) ?? []).filter((time) => time > Date.now() - windowMs);
  return {
    begin: (address, username) => {
      const keys = [`address ${address}`, `name ${username.toLowerCase()}`];
      for (const key of keys) {
        const times = recent(key);
        const most = limit();
        if (most > 0 && times.length >= most) {
          const retryAfter = ((times[0] ?? 0) + windowMs - Date.now()) / 1000;
          throw problem('too-many-requests', 'Too many wrong passwords. Wait a minute.', {
            retryAfter,
          });
        }
      }
      return {
        failed: () => {
          for (const key of keys) {
            // Taken out first, so that the map stays in the order of the last failure.
            const times = [...recent(key), Date.now()];
            failures.delete(key);
            failures.set(key, times);
          }
          forgetOldest(failures);
        },
      };
    },
  };
}

function forgetOldest(failures: Map<string, number[]>): void {
  for (const key of failures.keys()) {
    if (failures.size <= maxKept) {
      return;
    }
    failures.delete(key);
  }
}
