import type { VisibleSkill } from '../skills/skill-view.ts';

/**
 * What the audit log keeps of a run: which code of which skill, and the plugin that brought the skill, be it one
 * that is installed or one that it was imported from.
 */
export function scriptReceipt(
  { id, source, plugin, metadata }: Pick<VisibleSkill, 'id' | 'source' | 'plugin' | 'metadata'>,
  code: { checksum: string; script: string },
): Record<string, string> {
  const broughtBy = plugin?.id ?? metadata.plugin;
  return { skill: id, source, ...(broughtBy === undefined ? {} : { plugin: broughtBy }), ...code };
}
