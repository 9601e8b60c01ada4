import type { PlatformConfig } from '@knowhow/shared/platform';

/** How long a session lasts. */
export function sessionSeconds({ localAuth }: PlatformConfig): number {
  return (localAuth?.sessionTimeoutMinutes ?? defaultMinutes) * 60;
}

const defaultMinutes = 480;
