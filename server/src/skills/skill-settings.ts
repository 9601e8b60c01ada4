import type { SkillsConfig } from '@knowhow/shared/skills/skills-config';
import type { Skill } from '../skill-format/skill-format.ts';
import type { StoredSkill } from '../skill-store/skill-source.ts';

/** What an admin decided on a skill. */
export type SkillEntry = NonNullable<SkillsConfig['skills']>[string];

/** The tools that a skill on another server names count as soon as an admin has approved its very files. */
export function mayNameTools({ source, checksum }: StoredSkill, entry: SkillEntry | undefined) {
  return !source.isRemote || entry?.approved === checksum;
}

/** What a skill is called and described as: in the admin's words where there are some. */
export function shownTexts(
  { displayName, description }: Skill,
  entry: SkillEntry | undefined,
): Pick<Skill, 'displayName' | 'description'> {
  const { overrides } = entry ?? {};
  return {
    displayName: overrides?.displayName?.trim() || displayName,
    description: overrides?.description?.trim() || description,
  };
}

/** Whether a skill is offered at all: as the admin says, as long as it can be. */
export function isEnabled(skill: Skill, config: SkillsConfig): boolean {
  const entry = settingsOf(skill.id, config);
  const enabled = entry?.enabled ?? (skill.enabledByDefault && !skill.plugin?.startsOff);
  return enabled && isPluginOn(skill, config) && canBeOffered(skill, entry?.overrides?.description);
}

/** A plugin that is off has no skills, and what was decided on them stays. */
function isPluginOn({ plugin }: Skill, { plugins = {} }: SkillsConfig): boolean {
  const id = plugin?.id;
  return id === undefined || !Object.hasOwn(plugins, id) || plugins[id]?.enabled !== false;
}

/**
 * Whether a skill that counts can be switched on. The error that one is loaded with is that it has no
 * description; the admin's own makes up for it, the text that stands in for it does not.
 */
export function canBeOffered(skill: Skill, override: string | undefined): boolean {
  return skill.loads && (skill.enabledByDefault || Boolean(override?.trim()));
}

/** Whether scripts of a skill may run. An admin must allow it for the installation and for the skill. */
export function allowsScripts(id: string, config: SkillsConfig): boolean {
  return (
    config.settings?.allowScriptExecution === true &&
    settingsOf(id, config)?.allowScriptExecution === true
  );
}

/** What an admin decided on a skill. */
export function settingsOf(id: string, { skills = {} }: SkillsConfig): SkillEntry | undefined {
  return Object.hasOwn(skills, id) ? skills[id] : undefined;
}
