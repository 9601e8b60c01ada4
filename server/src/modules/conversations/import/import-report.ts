import type { ImportReport } from '@knowhow/shared/chat/conversation-import';
import { isFull } from '@knowhow/shared/chat/is-full';
import type { ImportedHead, ReadImport } from './read-import.ts';

const maxListed = 200;

/**
 * Summarises an import.
 *
 * @param known sources, as by `sourceOf`, that have been imported already
 */
export function createImportReport(
  { conversations, losses }: ReadImport,
  known: ReadonlySet<string>,
): ImportReport {
  const items = conversations.map((each) => ({
    title: each.title,
    messages: each.messages,
    updatedAt: each.updatedAt,
    isKnown: known.has(importKey(each)),
    isFull: isFull(each),
  }));
  return {
    formats: [...new Set(conversations.map(({ format }) => format))],
    conversations: items.length,
    messages: items.reduce((sum, { messages }) => sum + messages, 0),
    known: items.filter(({ isKnown }) => isKnown).length,
    full: items.filter((each) => each.isFull).length,
    items: items.slice(0, maxListed),
    losses,
  };
}

/** Key for recognising a conversation on a repeated import; without an ID, its creation time and title. */
export function importKey({ format, sourceId, title, createdAt }: ImportedHead): string {
  return `${format} ${sourceId || `${createdAt} ${title}`}`;
}
