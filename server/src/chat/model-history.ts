import type { Message } from '@knowhow/shared/conversations';
import { guessTokens } from '../lib/count-tokens.ts';
import type { ModelMessage } from '../models/model.ts';

/**
 * What was said, as the model gets it: texts only, the oldest left out when there are more than
 * `budget` tokens (a guess). Tool calls of earlier turns are not repeated: active skills are in
 * the system prompt, and files can be read again.
 */
export function modelHistory(messages: readonly Message[], budget: number): ModelMessage[] {
  const texts = messages.filter(({ content }) => content.trim() !== '');
  let left = budget;
  let first = texts.length;
  while (first > 0) {
    left -= guessTokens(texts[first - 1]?.content ?? '');
    if (left < 0 && first < texts.length) {
      break;
    }
    first -= 1;
  }
  const kept = texts.slice(first);
  const begins = kept.findIndex(({ role }) => role === 'user');
  return kept.slice(Math.max(0, begins)).reduce<ModelMessage[]>(append, []);
}

/** Some vendors refuse two messages of the user in a row, as they are after a failed answer. */
function append(history: ModelMessage[], { role, content }: Message): ModelMessage[] {
  const last = history.at(-1);
  if (role === 'user' && last?.role === 'user') {
    history[history.length - 1] = { role, content: `${last.content}\n\n${content}` };
    return history;
  }
  history.push(role === 'user' ? { role, content } : { role, content, toolCalls: [] });
  return history;
}
