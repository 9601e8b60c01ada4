import type { VisibleSkill } from '../skills/index.ts';

/**
 * Audit fields of a run: the skill, its code, and the plugin the skill came from, installed or
 * imported.
 */
export function scriptReceipt(
  { id, source, plugin, metadata }: Pick<VisibleSkill, 'id' | 'source' | 'plugin' | 'metadata'>,
  code: { checksum: string; script: string },
): Record<string, string> {
  const broughtBy = plugin?.id ?? metadata.plugin;
  return { skill: id, source, ...(broughtBy === undefined ? {} : { plugin: broughtBy }), ...code };
}
