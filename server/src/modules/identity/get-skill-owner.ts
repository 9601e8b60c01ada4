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
