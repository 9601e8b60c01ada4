import type { PlatformConfig } from '@knowhow/shared/config/platform';
import type { Caller } from './caller.ts';

/** Whether somebody may make links to their conversations: a guest has no list to end them in. */
export function mayShare({ anonymous, scopes }: Caller, { sharing }: PlatformConfig): boolean {
  return !anonymous && scopes === undefined && sharing?.enabled !== false;
}

/**
 * Whether somebody may read what a link shows that they have. A public one counts as such only while public ones
 * are allowed.
 */
export function mayReadShared(
  { anonymous, mayUse, scopes }: Caller,
  isPublic: boolean,
  { sharing }: PlatformConfig,
): boolean {
  if (sharing?.enabled === false) {
    return false;
  }
  const isMember = mayUse && !anonymous && (scopes === undefined || scopes.has('chat'));
  return isMember || (isPublic && sharing?.public === true);
}
