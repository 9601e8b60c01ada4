import type { skillSourceKinds } from '@knowhow/shared/skills/admin-skill';

/** The texts that name the sources of skills. */
export const sourceNames = {
  local: 'skillList.local',
  extra: 'skillList.extra',
  builtin: 'skillList.builtin',
  mcp: 'skillList.mcp',
  plugin: 'skillList.plugin',
} as const satisfies Record<(typeof skillSourceKinds)[number], string>;
