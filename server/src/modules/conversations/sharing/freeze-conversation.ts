import { problem } from '@knowhow/shared/problem';
import type { Database } from '../../../platform/storage/open-database.ts';
import type { FreezeOptions } from './freeze-message.ts';
import { frozenMessages } from './frozen-messages.ts';

/** Maximum length of a copy, in characters. */
const maxLength = 64_000_000;

/** Copies a conversation's messages as readers will get them, each as JSON. Throws `too-large`. */
export async function freezeConversation(
  database: Database,
  id: string,
  freezing: FreezeOptions,
): Promise<string[]> {
  const frozen: string[] = [];
  let length = 0;
  for await (const messages of frozenMessages(database, id, freezing)) {
    const texts = messages.map((message) => JSON.stringify(message));
    frozen.push(...texts);
    length += texts.reduce((sum, text) => sum + text.length, 0);
    if (length > maxLength) {
      throw problem(
        'too-large',
        'This conversation is too long to be shared like that. Share it without reasoning and tool calls.',
      );
    }
  }
  return frozen;
}
