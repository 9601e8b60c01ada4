import { type SkillMessage, skillMessages } from '@knowhow/shared/skills/skill-messages';
import type { Said } from '@knowhow/shared/skills/skills';

/** One of the texts on skills, in English, with its key and values for other languages. */
export function say(text: SkillMessage, values?: Said['values']): Said & { text: SkillMessage } {
  return { message: fillIn(skillMessages[text], values), text, ...(values ? { values } : {}) };
}

/** Puts values where a text has their names in double braces. */
export function fillIn(text: string, values: Said['values']): string {
  return values
    ? text.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => String(values[name] ?? whole))
    : text;
}
