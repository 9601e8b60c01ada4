import type { AppConfig } from '@knowhow/shared/config/app-config';
import { localize } from '@knowhow/shared/config/localized';
import type { SkillView } from './skill-view.ts';

/** The texts at the start of a conversation. */
export interface ConversationText {
  /** The first message. */
  message: string;
  /** Names of the skills picked with it. */
  skills: readonly string[];
  /** The result, once it has been ranked. */
  ranked?: readonly string[] | undefined;
}

/** No catalogue has room for more. */
const maxRanked = 200;

/**
 * Ids of the best skills for a conversation: by the first message, then by the picked skills, then
 * by the app. Computed once per conversation.
 */
export function rankForConversation(
  view: SkillView,
  { name, description }: AppConfig,
  { message, skills, ranked: known }: ConversationText,
): readonly string[] {
  if (known) {
    return known;
  }
  const picked = skills.flatMap((id) => view.find(id)?.description ?? []).join('\n');
  const app = `${localize(name, 'en')}\n${localize(description, 'en')}`;
  const ids = new Set<string>();
  for (const text of [message, picked, app]) {
    // Most messages match more than enough.
    const ranked = text === '' || ids.size >= maxRanked ? [] : view.rank(text, maxRanked);
    for (const { skill } of ranked) {
      ids.add(skill.id);
    }
  }
  return [...ids].slice(0, maxRanked);
}
