import type { PlatformConfig } from '@knowhow/shared/config/platform';

/** How long a session lasts. */
export function sessionSeconds({ localAuth }: PlatformConfig): number {
  return (localAuth?.sessionTimeoutMinutes ?? defaultMinutes) * 60;
}

const defaultMinutes = 480;

/** How long one lasts at most of which nobody outside is asked again, and somebody would have to be. */
export const unaskedSeconds = 3600;
