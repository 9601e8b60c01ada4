import { type AdminRight, everyRight, holdsRight } from '@knowhow/shared/access/admin-rights';
import { createContext, use } from 'react';

/** What the administrator looks after who sees the page. The server decides; this spares what it would refuse. */
export const RightsContext = createContext<readonly string[]>([everyRight]);

/** Whether they hold one of these; all, where none is named. */
export function useRight(...rights: AdminRight[]): boolean {
  return holdsRight(use(RightsContext), rights);
}
