import type { Prompt } from '@knowhow/shared/chat/prompts';
import type { Localized } from '@knowhow/shared/config/localized';
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

/** Converts skills and prompts to rows, skills first, in their given order. */
export function paletteEntries(
  prompts: readonly Prompt[],
  skills: readonly SkillSummary[],
  { localize, yours }: { localize: (text: Localized) => string; yours: string },
): PaletteEntry[] {
  return [
    ...skills.filter(isPickable).map((skill) => ({
      kind: 'skill' as const,
      key: entryKey('skill', skill.name),
      title: skill.name,
      hint: getHint(skill, yours),
      description: skill.description,
      category: skill.category,
      skill,
    })),
    ...prompts.map((prompt) => ({
      kind: 'prompt' as const,
      key: entryKey('prompt', prompt.id),
      title: localize(prompt.name),
      hint: prompt.sharedBy ?? prompt.server ?? '',
      description: localize(prompt.description),
      category: prompt.category,
      prompt,
      text: localize(prompt.prompt),
    })),
  ];
}

/** @param yours the words for a skill of the user's own */
function getHint(
  { isPersonal, sharedBy, argumentHint, displayName, name }: SkillSummary,
  yours: string,
): string {
  return sharedBy ?? argumentHint ?? (isPersonal ? yours : displayName === name ? '' : displayName);
}

/** The key of a skill by its name, or of a prompt by its ID. */
export function entryKey(kind: PaletteEntry['kind'], id: string): string {
  return `${kind}-${id}`;
}

/** Whether a skill's author lets users invoke it with `/`. */
function isPickable({ userInvocable }: SkillSummary): boolean {
  return userInvocable;
}
