import { type AdminRight, everyRight, holdsRight } from '@knowhow/shared/access/admin-rights';
import { createContext, use } from 'react';

/** The current user's admin permissions. The server enforces them; this only hides what it would refuse. */
export const RightsContext = createContext<readonly string[]>([everyRight]);

/** Whether the user has one of these permissions; if none is given, all of them. */
export function useRight(...rights: AdminRight[]): boolean {
  return holdsRight(use(RightsContext), rights);
}
