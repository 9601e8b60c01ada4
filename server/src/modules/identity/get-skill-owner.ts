import { problem } from '@knowhow/shared/problem';
import type { Caller } from './caller.ts';

/** The user whose personal skills a caller may use; undefined without that permission, and for visitors and services. */
export function getSkillOwner({
  id,
  anonymous,
  isService,
  permissions,
}: Caller): string | undefined {
  return anonymous || isService || permissions.personalSkills === 'none' ? undefined : id;
}

/** The same. Throws `forbidden` for callers without personal skills. */
export function requireSkillOwner(caller: Caller): string {
  const owner = getSkillOwner(caller);
  if (owner === undefined) {
    throw problem(
      'forbidden',
      'Skills of your own are for signed-in users whose groups allow them. Ask an administrator.',
    );
  }
  return owner;
}
