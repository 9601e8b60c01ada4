import { categoryKey } from '@knowhow/shared/skills/skill-category';
import type { SkillsConfig } from '@knowhow/shared/skills/skills-config';
import type { Skill } from '@knowhow/skill-format';
import type { GrantedSkill } from '../identity/index.ts';
import type { SkillSnapshot } from './store/skill-snapshot.ts';
import type { StoredSkill } from './store/skill-source.ts';

/** Admin settings of a skill. */
export type SkillEntry = NonNullable<SkillsConfig['skills']>[string];
export type SkillDeprecation = NonNullable<SkillEntry['deprecated']>;
type SkillBlock = NonNullable<SkillsConfig['blocked']>[string];

/**
 * The tools named by a skill on another server count once an admin has approved its current files.
 */
export function mayNameTools({ source, checksum }: StoredSkill, entry: SkillEntry | undefined) {
  return !source.isRemote || entry?.approved === checksum;
}

/**
 * Display name, description and their translations, with the admin's overrides. An override replaces the text in all
 * languages.
 */
export function shownTexts(
  { displayName, description, translations }: Skill,
  entry: SkillEntry | undefined,
): Pick<Skill, 'displayName' | 'description' | 'translations'> {
  const { overrides } = entry ?? {};
  const [ownName, ownText] = [overrides?.displayName?.trim(), overrides?.description?.trim()];
  return {
    displayName: ownName || displayName,
    description: ownText || description,
    translations: translations && {
      title: ownName ? {} : translations.title,
      description: ownText ? {} : translations.description,
    },
  };
}

/**
 * What decides whether a group grants a skill. The category is that of the published version. For a skill of another
 * server, only its id counts: that server sets its category.
 */
export function toGrantedSkill({ id, category, source }: StoredSkill): GrantedSkill {
  return { id, category: source.isRemote ? undefined : categoryKey(category) };
}

/** The same by name; without a category if there is no such skill. */
export function findGrantedSkill(
  { skills }: Pick<SkillSnapshot, 'skills'>,
  name: string,
): GrantedSkill {
  const stored = skills.get(name);
  return stored ? toGrantedSkill(stored) : { id: name, category: undefined };
}

/** The block of a skill, if it is blocked. */
export function getBlock(
  id: string,
  { blocked = {} }: Pick<SkillsConfig, 'blocked'>,
): SkillBlock | undefined {
  return Object.hasOwn(blocked, id) ? blocked[id] : undefined;
}

/** The id of a blocked skill that had exactly these files. */
export function findBlockedContent(
  checksum: string,
  { blocked = {} }: Pick<SkillsConfig, 'blocked'>,
): string | undefined {
  return Object.entries(blocked).find(([, block]) => block.checksum === checksum)?.[0];
}

/** Whether a skill is offered: not blocked, and the admin's decision, as long as it is valid. */
export function isEnabled(skill: Skill, config: SkillsConfig): boolean {
  if (getBlock(skill.id, config)) {
    return false;
  }
  const entry = getSkillSettings(skill.id, config);
  const enabled = entry?.enabled ?? (skill.enabledByDefault && !skill.plugin?.startsOff);
  return enabled && isPluginOn(skill, config) && canBeOffered(skill, entry?.overrides?.description);
}

/** A disabled plugin has no skills; their settings are kept. */
function isPluginOn({ plugin }: Skill, { plugins = {} }: SkillsConfig): boolean {
  const id = plugin?.id;
  return id === undefined || !Object.hasOwn(plugins, id) || plugins[id]?.enabled !== false;
}

/**
 * Whether a loaded skill can be enabled. The only error of a loaded skill is a missing description,
 * which the admin's override fixes; a generated text does not.
 */
export function canBeOffered(skill: Skill, override: string | undefined): boolean {
  return skill.loads && (skill.enabledByDefault || Boolean(override?.trim()));
}

/**
 * Whether scripts of a skill may run. An admin must allow it for the installation and for the
 * skill.
 */
export function allowsScripts(id: string, config: SkillsConfig): boolean {
  return (
    config.settings.allowScriptExecution &&
    getSkillSettings(id, config)?.allowScriptExecution === true
  );
}

/** Admin settings of a skill. */
export function getSkillSettings(
  id: string,
  { skills = {} }: SkillsConfig,
): SkillEntry | undefined {
  return Object.hasOwn(skills, id) ? skills[id] : undefined;
}
