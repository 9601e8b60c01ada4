import type { PlatformConfig } from '@knowhow/shared/config/platform';
import type { Caller } from './caller.ts';

/** Whether a caller may share conversations. Guests have no list in which to disable links. */
export function mayShare({ anonymous, scopes }: Caller, { sharing }: PlatformConfig): boolean {
  return !anonymous && scopes === undefined && sharing.enabled;
}

/**
 * Whether a caller may read a shared conversation. Public links work only while public sharing is
 * enabled.
 */
export function mayReadShared(
  { anonymous, mayUse, scopes }: Caller,
  isPublic: boolean,
  { sharing }: PlatformConfig,
): boolean {
  if (!sharing.enabled) {
    return false;
  }
  const isMember = mayUse && !anonymous && (scopes === undefined || scopes.has('chat'));
  return isMember || (isPublic && sharing.public);
}
