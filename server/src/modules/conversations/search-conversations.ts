import { foldedText } from '../../platform/storage/folded-text.ts';
import type { Database } from '../../platform/storage/open-database.ts';
import { findTexts, readTexts } from '../../platform/storage/search-texts.ts';
import type { SearchedText } from '../../platform/storage/searched-texts.ts';
import { searchPauses } from './search-pauses.ts';

/** Maximum conversations found; those with the newest matching texts are kept. */
const maxFound = 500;
/** Maximum characters read per search; takes 100 to 200 ms. */
const maxRead = 32_000_000;
const batchSize = 10;

/**
 * Conversation IDs with the ID of their newest matching message, preferring visible ones over archived branches. The
 * message ID is empty if only the title matched.
 */
export type FoundConversations = ReadonlyMap<string, string>;

/**
 * Finds the owner's conversations whose title or a single message contains all words. Words match in any order, as
 * substrings, and without regard to case and accents.
 */
export async function searchConversations(
  database: Database,
  owner: string,
  { words, signal }: { words: readonly string[]; signal?: AbortSignal | undefined },
): Promise<FoundConversations> {
  const matches = createMatcher(words.map(foldedText));
  const found = new Map<string, Match>();
  const work = { read: 0, pause: searchPauses(signal) };
  for await (const texts of findTexts(database, owner, words)) {
    for (let at = 0; at < texts.length; at += batchSize) {
      await addMatching(database, texts.slice(at, at + batchSize), { found, matches, work });
      if (found.size >= maxFound || work.read >= maxRead) {
        return toMessageIds(found);
      }
    }
    await work.pause();
  }
  return toMessageIds(found);
}

function toMessageIds(found: ReadonlyMap<string, Match>): FoundConversations {
  return new Map([...found].map(([id, { messageId }]) => [id, messageId]));
}

interface Match {
  /** Empty for a title. */
  messageId: string;
  /** Rank of the match: title 0, archived message 1, visible message 2. */
  worth: number;
}

const maxWorth = 2;

interface Search {
  found: Map<string, Match>;
  matches: (text: string) => boolean;
  work: { read: number; pause: () => Promise<void> };
}

/** Verifies that the texts really contain the words. */
async function addMatching(
  database: Database,
  texts: readonly SearchedText[],
  { found, matches, work }: Search,
): Promise<void> {
  const candidates = new Map(
    texts
      .filter(({ conversationId }) => found.get(conversationId)?.worth !== maxWorth)
      .map((text) => [text.id, text]),
  );
  if (candidates.size === 0) {
    return;
  }
  for (const { id, text, isAway } of await readTexts(database, [...candidates.keys()])) {
    const { conversationId = '', messageId = '' } = candidates.get(id) ?? {};
    work.read += text.length;
    const worth = messageId === '' ? 0 : isAway ? 1 : maxWorth;
    // The newest come first.
    if (worth > (found.get(conversationId)?.worth ?? -1) && matches(text)) {
      found.set(conversationId, { messageId, worth });
    }
    await work.pause();
  }
}

function createMatcher(words: readonly string[]): (text: string) => boolean {
  const [...distinct] = new Set(words);
  return (text) => {
    const content = foldedText(text);
    return distinct.every((word) => content.includes(word));
  };
}

/** Splits a query into words; there is no query syntax. */
export function splitQuery(query: string): string[] {
  return query.split(/[\s\p{Cc}\p{Cs}]+/u).filter((word) => word !== '');
}
