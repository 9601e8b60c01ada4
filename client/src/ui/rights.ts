import {
  type AdminRight,
  type AnyScope,
  adminRights,
  coversCategories,
  everyRight,
  getSkillScope,
  holdsRight,
  type SkillRight,
  type SkillScope,
} from '@knowhow/shared/access/admin-rights';
import { createContext, use } from 'react';

/** The current user's admin permissions. The server enforces them; this only hides what it would refuse. */
export const RightsContext = createContext<readonly string[]>([everyRight]);

/** Whether the user has one of these permissions; if none is given, all of them. */
export function useRight(...rights: (AdminRight | AnyScope)[]): boolean {
  return holdsRight(use(RightsContext), rights);
}

/** Whether the user is an administrator, with more than rights on the skills of some categories. */
export function useIsAdmin(): boolean {
  return useRight(...adminRights);
}

/** Whether the user has a right on the skills of a category, or on those without one. */
export function useSkillRight(right: SkillRight, category: string | undefined): boolean {
  return coversCategories(useSkillScope(right), [category]);
}

/** The categories on whose skills the user has a right. */
export function useSkillScope(right: SkillRight): SkillScope {
  return getSkillScope(use(RightsContext), [right]);
}
