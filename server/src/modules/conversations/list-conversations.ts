import type {
  ConversationSummary,
  FoundConversation,
  SearchHit,
} from '@knowhow/shared/chat/conversations';
import type { PageQuery } from '@knowhow/shared/list';
import { sql } from 'kysely';
import { z } from 'zod';
import { invalidCursor } from '../../platform/lib/cursors.ts';
import { foldedText } from '../../platform/storage/folded-text.ts';
import { inList } from '../../platform/storage/in-list.ts';
import type { Database } from '../../platform/storage/open-database.ts';
import { maxSearchedCharacters } from '../../platform/storage/search-limits.ts';
import { toSummary } from './conversation-rows.ts';
import {
  type FoundConversations,
  searchConversations,
  splitQuery,
} from './search-conversations.ts';
import { searchPauses } from './search-pauses.ts';

const batchSize = 10;

interface Search {
  found: FoundConversations;
  words: readonly string[];
  signal?: AbortSignal | undefined;
}

/** Adds to each conversation found a snippet of its matching message. */
async function withHits(
  database: Database,
  items: readonly ConversationSummary[],
  { found, words, signal }: Search,
): Promise<FoundConversation[]> {
  const pause = searchPauses(signal);
  const hits = new Map<string, SearchHit>();
  const messages = items.flatMap(({ id }) => found.get(id) || []);
  for (let at = 0; at < messages.length; at += batchSize) {
    for (const { id, text } of await read(database, messages.slice(at, at + batchSize))) {
      hits.set(id, { messageId: id, ...createSnippet(text, words) });
      await pause();
    }
  }
  return items.map((item) => {
    const hit = hits.get(found.get(item.id) ?? '');
    return hit ? { ...item, hit } : item;
  });
}

async function read(
  database: Database,
  ids: readonly string[],
): Promise<{ id: string; text: string }[]> {
  const { rows } = await sql<{ id: string; text: string }>`
    select id, substr(content, 1, ${sql.lit(maxSearchedCharacters)}) as text from messages
    where id in ${inList(ids)}`.execute(database);
  return rows;
}

export interface ConversationPage {
  items: FoundConversation[];
  total: number;
  nextCursor?: string;
}

export type ListQuery = PageQuery & {
  query?: string | undefined;
  archived?: 'true' | 'false' | undefined;
  /** Empty for conversations without a folder. */
  folder?: string | undefined;
};

/**
 * Lists conversations, pinned ones first, then by last update. Archived ones are listed separately, except in a
 * search. In a search, `total` counts at most what the search found.
 */
export async function listConversations(
  database: Database,
  owner: string,
  {
    limit,
    cursor,
    query,
    archived,
    folder,
    signal,
  }: ListQuery & { signal?: AbortSignal | undefined },
): Promise<ConversationPage> {
  let matching = database.selectFrom('conversations').where('owner', '=', owner);
  const words = splitQuery(query ?? '');
  const found =
    words.length > 0 ? await searchConversations(database, owner, { words, signal }) : undefined;
  if (found) {
    matching = matching.where('id', 'in', inList([...found.keys()]));
  }
  if (words.length === 0 || archived !== undefined) {
    matching = matching.where('archived', '=', archived === 'true' ? 1 : 0);
  }
  if (folder !== undefined) {
    matching = matching.where('folder', folder === '' ? 'is' : '=', folder || null);
  }
  const { total } = await matching
    .select((select) => select.fn.countAll<number | string | bigint>().as('total'))
    .executeTakeFirstOrThrow();
  let page = matching.selectAll();
  if (cursor !== undefined) {
    const after = parseCursor(cursor);
    page = page.where(({ eb, refTuple, tuple }) =>
      eb(
        refTuple('pinned', 'updated_at', 'id'),
        '<',
        tuple(after.pinned, after.updatedAt, after.id),
      ),
    );
  }
  const rows = await page
    .orderBy('pinned', 'desc')
    .orderBy('updated_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  const items = rows.slice(0, limit).map(toSummary);
  const last = items.at(-1);
  return {
    items: found ? await withHits(database, items, { found, words, signal }) : items,
    total: Number(total),
    ...(rows.length > limit && last ? { nextCursor: encodeCursor(last) } : {}),
  };
}

const cursorSchema = z.tuple([z.number(), z.string(), z.string()]);

function encodeCursor({ isPinned, updatedAt, id }: ConversationSummary): string {
  return Buffer.from(JSON.stringify([isPinned ? 1 : 0, updatedAt, id])).toString('base64url');
}

function parseCursor(cursor: string): { pinned: number; updatedAt: string; id: string } {
  try {
    const [pinned, updatedAt, id] = cursorSchema.parse(
      JSON.parse(Buffer.from(cursor, 'base64url').toString()),
    );
    return { pinned, updatedAt, id };
  } catch {
    throw invalidCursor();
  }
}

/** Characters of context before and after the match. */
const contextBefore = 40;
const contextAfter = 140;
/** Maximum number of matches compared. */
const maxMatches = 50;

type Snippet = Omit<SearchHit, 'messageId'>;

/** Extracts a one-line snippet around the match with most other search words nearby, and marks the words. */
function createSnippet(text: string, words: readonly string[]): Snippet {
  const folded = words.map(foldedText).filter((word) => word !== '');
  const position = toOriginalOffset(text, findBestMatch(foldedText(text), folded));
  const from = snapToWord(text, Math.max(0, position - contextBefore), position);
  const to = snapToWord(text, Math.min(text.length, position + contextAfter), text.length);
  const line = `${from > 0 ? '…' : ''}${toOneLine(text.slice(from, to), words)}${to < text.length ? '…' : ''}`;
  return { text: line, marks: findMarks(line, folded) };
}

/** Offset of the longest word's match that has most of the other words nearby. */
function findBestMatch(text: string, words: readonly string[]): number {
  const [longest = '', ...others] = [...words].sort((one, other) => other.length - one.length);
  const best = { at: 0, count: -1 };
  let at = text.indexOf(longest);
  for (let position = 0; at >= 0 && position < maxMatches; position += 1) {
    const around = text.slice(Math.max(0, at - contextBefore), at + contextAfter);
    const count = others.filter((word) => around.includes(word)).length;
    if (count > best.count) {
      Object.assign(best, { at, count });
    }
    at = text.indexOf(longest, at + Math.max(1, longest.length));
  }
  return best.at;
}

/** Converts an offset in the folded text to one in the original text. */
function toOriginalOffset(text: string, position: number): number {
  let remaining = position;
  let at = 0;
  for (const step of [4096, 64, 1]) {
    for (let next = at; next < text.length; at = next) {
      next = Math.min(text.length, at + step);
      const { length } = foldedText(text.slice(at, next));
      if (length > remaining) {
        break;
      }
      remaining -= length;
    }
  }
  return at;
}

/** The next start of a word, if it is near. */
function snapToWord(text: string, at: number, end: number): number {
  if (at === 0 || at === text.length) {
    return at;
  }
  const next = text.slice(at, Math.min(end, at + 20)).search(/(?<=\s)\S/);
  // Never splits a surrogate pair.
  const half = /[\uDC00-\uDFFF]/.test(text.charAt(at)) ? 1 : 0;
  return at + (next < 0 ? half : next);
}

/** Strips Markdown marks, unless the search contains them, and collapses whitespace. */
function toOneLine(text: string, words: readonly string[]): string {
  const marks = /[*`#|>]+/g;
  const plain = words.some((word) => word.search(marks) >= 0) ? text : text.replace(marks, ' ');
  return plain.replace(/[\s\p{Cc}]+/gu, ' ').trim();
}

/** Ranges that match a word, in order and without overlaps. */
function findMarks(line: string, words: readonly string[]): Snippet['marks'] {
  const letters = [...line].map((letter) => ({ letter, folded: foldedText(letter) }));
  const folded = letters.map((letter) => letter.folded).join('');
  const isMarked = new Array<boolean>(folded.length).fill(false);
  for (const word of words) {
    for (let at = folded.indexOf(word); at >= 0; at = folded.indexOf(word, at + word.length)) {
      isMarked.fill(true, at, at + word.length);
    }
  }
  const marks: Snippet['marks'] = [];
  let position = 0;
  let foldedPosition = 0;
  for (const { letter, folded: part } of letters) {
    const last = marks.at(-1);
    // A combining accent belongs to the previous letter.
    const isIn = part === '' ? last?.to === position : isMarked[foldedPosition];
    if (isIn && last?.to === position) {
      last.to += letter.length;
    } else if (isIn) {
      marks.push({ from: position, to: position + letter.length });
    }
    position += letter.length;
    foldedPosition += part.length;
  }
  return marks;
}
