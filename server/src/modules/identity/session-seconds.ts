import type { PlatformConfig } from '@knowhow/shared/config/platform';

/** Duration of a session, in seconds. */
export function sessionSeconds({ localAuth }: PlatformConfig): number {
  return localAuth.sessionTimeoutMinutes * 60;
}

/** Maximum duration of a session that depends on a provider but cannot be rechecked there. */
export const maxUncheckedSeconds = 3600;
