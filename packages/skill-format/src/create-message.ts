import { fillIn } from '@knowhow/shared/fill-in';
import { type SkillMessage, skillMessages } from '@knowhow/shared/skills/skill-messages';
import type { SkillMessageText } from '@knowhow/shared/skills/skills';

/** A message about a skill in English, with its key and values for translation. */
export function createMessage(
  text: SkillMessage,
  values?: SkillMessageText['values'],
): SkillMessageText & { text: SkillMessage } {
  return { message: fillIn(skillMessages[text], values), text, ...(values ? { values } : {}) };
}
