import type { skillSourceKinds } from '@knowhow/shared/skills/admin-skill';

/** Translation keys of the skill sources. */
export const sourceNames = {
  local: 'skillList.local',
  extra: 'skillList.extra',
  builtin: 'skillList.builtin',
  mcp: 'skillList.mcp',
  plugin: 'skillList.plugin',
} as const satisfies Record<(typeof skillSourceKinds)[number], string>;
