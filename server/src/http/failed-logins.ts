import { problem } from '@knowhow/shared/problem';

/** Counts wrong passwords, per address and per name, a minute. */
export interface FailedLogins {
  /**
   * Counts as a failure from the beginning, so that no more are tried at once than may fail. Throws
   * `too-many-requests` when there were too many of late.
   */
  begin(address: string, username: string): LoginAttempt;
}

export interface LoginAttempt {
  /** Takes it back: the password was not wrong. */
  notFailed(): void;
}

const windowMs = 60_000;
const maxKept = 10_000;

interface Failure {
  time: number;
}

/** @param limit failures a minute; 0 switches the limit off */
export function createFailedLogins(limit: () => number): FailedLogins {
  const failures = new Map<string, Failure[]>();
  const recent = (key: string) =>
    (failures.get(key) ?? []).filter(({ time }) => time > Date.now() - windowMs);
  return {
    begin: (address, username) => {
      const keys = [`address ${address}`, `name ${username.toLowerCase()}`];
      for (const key of keys) {
        checkLimit(recent(key), limit());
      }
      const failure = { time: Date.now() };
      for (const key of keys) {
        // Taken out first, so that the map stays in the order of the last failure.
        const kept = recent(key);
        failures.delete(key);
        failures.set(key, [...kept, failure]);
      }
      forgetOldest(failures);
      return {
        notFailed: () => {
          for (const key of keys) {
            takeBack(failures, key, failure);
          }
        },
      };
    },
  };
}

function checkLimit(recent: readonly Failure[], most: number): void {
  if (most > 0 && recent.length >= most) {
    const first = recent[0]?.time ?? 0;
    throw problem('too-many-requests', 'Too many wrong passwords. Wait a minute.', {
      retryAfter: (first + windowMs - Date.now()) / 1000,
    });
  }
}

function takeBack(failures: Map<string, Failure[]>, key: string, failure: Failure): void {
  const left = (failures.get(key) ?? []).filter((one) => one !== failure);
  if (left.length > 0) {
    failures.set(key, left);
  } else {
    failures.delete(key);
  }
}

function forgetOldest(failures: Map<string, Failure[]>): void {
  for (const key of failures.keys()) {
    if (failures.size <= maxKept) {
      return;
    }
    failures.delete(key);
  }
}
