import type { SkillAccess } from '@knowhow/shared/skills/admin-skill';

export type AccessCell = SkillAccess['cells'][number];

/** What an app or a group is known by. */
export interface Named {
  id: string;
  name: string;
}

export interface AccessProps {
  groups: readonly Named[];
  apps: readonly Named[];
  /** Says whether a group sees the skill in an app, and why. */
  cellOf: (group: string, app: string) => AccessCell | undefined;
}
