import type { SkillAccess } from '@knowhow/shared/skills/admin-skill';

export type AccessCell = SkillAccess['cells'][number];

/** ID and display name of an app or a group. */
export interface Named {
  id: string;
  name: string;
}

export interface AccessProps {
  groups: readonly Named[];
  apps: readonly Named[];
  /** Whether a group has access to the skill in an app, and why. */
  cellOf: (group: string, app: string) => AccessCell | undefined;
}
