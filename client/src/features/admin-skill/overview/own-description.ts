import type { AdminSkillDetail } from '@knowhow/shared/skills/admin-skill';

/** The description that the file gives; empty where some of its text only replaces one. */
export function ownDescription({ ownDescription, diagnostics }: AdminSkillDetail): string {
  return diagnostics.some(({ code }) => code === 'description-missing') ? '' : ownDescription;
}

/** Off for want of a description, in the file or the admin's own: then it cannot be switched on. */
export function lacksDescription(skill: AdminSkillDetail): boolean {
  return skill.status === 'off' && !skill.overrides.description && ownDescription(skill) === '';
}
