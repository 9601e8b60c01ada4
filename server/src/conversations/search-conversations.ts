import { createPauses } from '../lib/create-pauses.ts';
import type { Database } from '../storage/open-database.ts';
import { findTexts, readTexts, type SearchedText } from '../storage/search-texts.ts';

/** So many conversations are found at most: those with the newest texts that match. */
const maxFound = 500;
/** So much text is read at most, in characters: a tenth of a second's work or two. */
const maxRead = 32_000_000;
const textsAtOnce = 10;
/** Others have their turn after this. */
const sliceMs = 8;

/**
 * The ids of the owner's conversations with a title or a message that holds all these words, in any order,
 * also inside of longer words, without regard to case and accents.
 */
export async function searchConversations(
  database: Database,
  owner: string,
  { words, signal }: { words: readonly string[]; signal?: AbortSignal | undefined },
): Promise<string[]> {
  const matches = matcher(words.map(folded));
  const found = new Set<string>();
  const work = { read: 0, pause: pacer(signal) };
  for await (const texts of findTexts(database, owner, words)) {
    for (let at = 0; at < texts.length; at += textsAtOnce) {
      await addMatching(database, texts.slice(at, at + textsAtOnce), { found, matches, work });
      if (found.size >= maxFound || work.read >= maxRead) {
        return [...found];
      }
    }
    await work.pause();
  }
  return [...found];
}

interface Search {
  found: Set<string>;
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
      .filter(({ conversationId }) => !found.has(conversationId))
      .map(({ id, conversationId }) => [id, conversationId]),
  );
  if (open.size === 0) {
    return;
  }
  for (const { id, text } of await readTexts(database, [...open.keys()])) {
    const conversation = open.get(id);
    work.read += text.length;
    if (conversation !== undefined && !found.has(conversation) && matches(text)) {
      found.add(conversation);
    }
    await work.pause();
  }
}

function matcher(words: readonly string[]): (text: string) => boolean {
  const [...distinct] = new Set(words);
  return (text) => {
    const content = folded(text);
    return distinct.every((word) => content.includes(word));
  };
}

/** Without case and accents. */
function folded(text: string): string {
  return /^\p{ASCII}*$/u.test(text)
    ? text.toLowerCase()
    : text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ς', 'σ');
}

/** Gives way to others when a slice of time is used up, and goes on if it is still wanted. */
function pacer(signal: AbortSignal | undefined): () => Promise<void> {
  const pause = createPauses(sliceMs);
  return async () => {
    await pause();
    signal?.throwIfAborted();
  };
}

/** The words of a query; nothing else in it means anything. */
export function wordsOf(query: string): string[] {
  return query.split(/[\s\p{Cc}\p{Cs}]+/u).filter((word) => word !== '');
}
