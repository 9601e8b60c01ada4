import type { Prompt } from '@knowhow/shared/chat/prompts';
import { localize } from '@knowhow/shared/config/localized';
import { localizeSkill } from '@knowhow/shared/skills/skill-translations';
import type { SkillSummary } from '@knowhow/shared/skills/skills';

interface EntryText {
  /** Unique among all entries. */
  key: string;
  title: string;
  /** Dimmed text next to the title. */
  hint: string;
  description: string;
  category: string | undefined;
}

/** One row of the palette. */
export type PaletteEntry = EntryText &
  ({ kind: 'prompt'; prompt: Prompt; text: string } | { kind: 'skill'; skill: SkillSummary });

interface PaletteTexts {
  /** The language of the interface. */
  language: string;
  /** The words for a skill of the user's own. */
  yours: string;
  /** The words for a deprecated skill, with the name of the one to use instead. */
  deprecated: (successor: string | undefined) => string;
}

/** Converts skills and prompts to rows, skills first, in their given order. */
export function paletteEntries(
  prompts: readonly Prompt[],
  skills: readonly SkillSummary[],
  { language, ...words }: PaletteTexts,
): PaletteEntry[] {
  return [
    ...skills.filter(isPickable).map((skill) => {
      const { title, description } = localizeSkill(skill, language);
      return {
        kind: 'skill' as const,
        key: entryKey('skill', skill.name),
        title: skill.name,
        hint: getHint(skill, title, words),
        description,
        category: skill.category,
        skill,
      };
    }),
    ...prompts.map((prompt) => ({
      kind: 'prompt' as const,
      key: entryKey('prompt', prompt.id),
      title: localize(prompt.name, language),
      hint: prompt.sharedBy ?? prompt.server ?? '',
      description: localize(prompt.description, language),
      category: prompt.category,
      prompt,
      text: localize(prompt.prompt, language),
    })),
  ];
}

function getHint(
  { isPersonal, sharedBy, argumentHint, name, deprecated }: SkillSummary,
  title: string,
  words: Omit<PaletteTexts, 'language'>,
): string {
  if (deprecated) {
    const instead = words.deprecated(deprecated.successor?.name);
    return title === name ? instead : `${title} · ${instead}`;
  }
  return sharedBy ?? argumentHint ?? (isPersonal ? words.yours : title === name ? '' : title);
}

/** The key of a skill by its name, or of a prompt by its ID. */
export function entryKey(kind: PaletteEntry['kind'], id: string): string {
  return `${kind}-${id}`;
}

/** Whether a skill's author lets users invoke it with `/`. */
function isPickable({ userInvocable }: SkillSummary): boolean {
  return userInvocable;
}
