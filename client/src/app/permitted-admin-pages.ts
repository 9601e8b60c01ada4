import { holdsRight } from '@knowhow/shared/access/admin-rights';
import type { Me } from '@knowhow/shared/access/auth';
import { type AdminPage, adminPages } from './admin-pages.ts';

/** The admin pages that the user's permissions allow. */
export function permittedAdminPages({ adminRights = [] }: Me): readonly AdminPage[] {
  return adminPages.filter(({ rights }) => holdsRight(adminRights, rights));
}
