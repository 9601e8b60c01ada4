import type { AppConfig } from '@knowhow/shared/config/app-config';
import { localize } from '@knowhow/shared/config/localized';
import type { SkillView } from './skill-view.ts';

/** What is known when a conversation begins. */
export interface ConversationText {
  /** The first message. */
  message: string;
  /** Names of the skills picked with it. */
  skills: readonly string[];
  /** What came of it, once it has been ranked. */
  ranked?: readonly string[] | undefined;
}

/** More find no room in a catalogue. */
const most = 200;

/**
 * Ids of the skills that fit a conversation best: first those that its first message brings up, then what
 * goes with the skills picked with it, then what goes with the app. Once for a conversation.
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
    // Most messages bring up more than enough.
    const ranked = text === '' || ids.size >= most ? [] : view.rank(text, most);
    for (const { skill } of ranked) {
      ids.add(skill.id);
    }
  }
  return [...ids].slice(0, most);
}
