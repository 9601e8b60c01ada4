import type { AdminSkillDetail } from '@knowhow/shared/skills/admin-skill';

/** The description from the file; empty if it is only a generated substitute. */
export function ownDescription({ ownDescription, diagnostics }: AdminSkillDetail): string {
  return diagnostics.some(({ code }) => code === 'description-missing') ? '' : ownDescription;
}

/** Off because neither the file nor an override has a description: it cannot be switched on. */
export function lacksDescription(skill: AdminSkillDetail): boolean {
  return skill.status === 'off' && !skill.overrides.description && ownDescription(skill) === '';
}
