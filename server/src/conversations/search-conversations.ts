import { foldedText } from '../storage/folded-text.ts';
import type { Database } from '../storage/open-database.ts';
import { findTexts, readTexts } from '../storage/search-texts.ts';
import type { SearchedText } from '../storage/searched-texts.ts';
import { searchPauses } from './search-pauses.ts';

/** So many conversations are found at most: those with the newest texts that match. */
const maxFound = 500;
/** So much text is read at most, in characters: a tenth of a second's work or two. */
const maxRead = 32_000_000;
const textsAtOnce = 10;

/**
 * Ids of conversations, each with that of its newest message that was found, one that is put away only where none is
 * shown; empty where only its title was.
 */
export type FoundConversations = ReadonlyMap<string, string>;

/**
 * The owner's conversations with a title or a message that holds all these words, in any order, also inside of
 * longer words, without regard to case and accents.
 */
export async function searchConversations(
  database: Database,
  owner: string,
  { words, signal }: { words: readonly string[]; signal?: AbortSignal | undefined },
): Promise<FoundConversations> {
  const matches = matcher(words.map(foldedText));
  const found = new Map<string, Found>();
  const work = { read: 0, pause: searchPauses(signal) };
  for await (const texts of findTexts(database, owner, words)) {
    for (let at = 0; at < texts.length; at += textsAtOnce) {
      await addMatching(database, texts.slice(at, at + textsAtOnce), { found, matches, work });
      if (found.size >= maxFound || work.read >= maxRead) {
        return messagesOf(found);
      }
    }
    await work.pause();
  }
  return messagesOf(found);
}

function messagesOf(found: ReadonlyMap<string, Found>): FoundConversations {
  return new Map([...found].map(([id, { messageId }]) => [id, messageId]));
}

interface Found {
  /** Empty for a title. */
  messageId: string;
  /** What is found says more than a title, and what is shown more than what is put away. */
  worth: number;
}

const most = 2;

interface Search {
  found: Map<string, Found>;
  matches: (text: string) => boolean;
  work: { read: number; pause: () => Promise<void> };
}

/** Looks whether the texts hold the words indeed. */
async function addMatching(
  database: Database,
  texts: readonly SearchedText[],
  { found, matches, work }: Search,
): Promise<void> {
  const open = new Map(
    texts
      .filter(({ conversationId }) => found.get(conversationId)?.worth !== most)
      .map((text) => [text.id, text]),
  );
  if (open.size === 0) {
    return;
  }
  for (const { id, text, isAway } of await readTexts(database, [...open.keys()])) {
    const { conversationId = '', messageId = '' } = open.get(id) ?? {};
    work.read += text.length;
    const worth = messageId === '' ? 0 : isAway ? 1 : most;
    // The newest comes first.
    if (worth > (found.get(conversationId)?.worth ?? -1) && matches(text)) {
      found.set(conversationId, { messageId, worth });
    }
    await work.pause();
  }
}

function matcher(words: readonly string[]): (text: string) => boolean {
  const [...distinct] = new Set(words);
  return (text) => {
    const content = foldedText(text);
    return distinct.every((word) => content.includes(word));
  };
}

/** The words of a query; nothing else in it means anything. */
export function wordsOf(query: string): string[] {
  return query.split(/[\s\p{Cc}\p{Cs}]+/u).filter((word) => word !== '');
}
