import {
  type Attachment,
  attachmentSchema,
  type SentAttachment,
} from '@knowhow/shared/chat/attachments';
import { problem } from '@knowhow/shared/problem';
import type { Kysely, Selectable } from 'kysely';
import type { ModelImage } from '../models/model.ts';
import { inList } from '../storage/in-list.ts';
import type { Schema } from '../storage/schema.ts';
import { readContent } from './file-contents.ts';

/** What models get of a file that is attached. */
export interface AttachedContent {
  /** The beginning of its text, as far as it goes with the message. */
  text?: string;
  image?: ModelImage;
}

export interface AttachableIn {
  owner: string;
  conversationId: string;
  /** Id of the message that is replaced: its files can go with the new one. */
  replaces?: string | undefined;
}

/**
 * The uploaded files of these ids, under names that no other file of the conversation has. Throws `not-found` for
 * what is not there, is another's, or went with another message.
 */
export async function findAttachable(
  database: Kysely<Schema>,
  ids: readonly string[],
  { owner, conversationId, replaces }: AttachableIn,
): Promise<Attachment[]> {
  if (ids.length === 0) {
    return [];
  }
  const wanted = inList([...new Set(ids)]);
  const rows = await database
    .selectFrom('files')
    .selectAll()
    .where('id', 'in', wanted)
    .where('owner', '=', owner)
    .where(({ eb, or }) =>
      or([eb('message_id', 'is', null), eb('message_id', '=', replaces ?? '')]),
    )
    .execute();
  const known = new Map(rows.map((row) => [row.id, row]));
  const others = await database
    .selectFrom('files')
    .select('name')
    .where('conversation_id', '=', conversationId)
    .where('id', 'not in', wanted)
    .execute();
  const taken = new Set(others.map(({ name }) => name));
  return [...new Set(ids)].map((id) => {
    const row = known.get(id);
    if (!row) {
      throw problem('not-found', 'A file is not there any more. Attach it again.');
    }
    const name = freeName(row.name, taken);
    taken.add(name);
    return { ...attachmentOf(row), name };
  });
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  const [, stem = name, extension = ''] = /^(.+?)(\.[^.]{1,10})?$/.exec(name) ?? [];
  for (let number = 1; ; number += 1) {
    const free = number === 1 ? name : `${stem} (${number})${extension}`;
    if (!taken.has(free)) {
      return free;
    }
  }
}

/** What is said of a file that was uploaded. */
export function attachmentOf(row: Selectable<Schema['files']>): Attachment {
  const { id, name, type, size, details } = row;
  return attachmentSchema.parse({ ...JSON.parse(details ?? '{}'), id, name, type, size });
}

/** Lets files belong to the message that they go with. */
export async function bindFiles(
  write: Kysely<Schema>,
  attachments: readonly SentAttachment[],
  at: { conversationId: string; messageId: string },
): Promise<void> {
  for (const { id, name } of attachments) {
    const { numUpdatedRows } = await write
      .updateTable('files')
      .set({ name, conversation_id: at.conversationId, message_id: at.messageId })
      .where('id', '=', id)
      .where('message_id', 'is', null)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) {
      throw problem('not-found', `The file '${name}' is not there any more. Attach it again.`);
    }
  }
}

/** What models get of files, by their ids: the texts as far as they are shown. */
export async function loadAttached(
  database: Kysely<Schema>,
  attachments: readonly SentAttachment[],
): Promise<Map<string, AttachedContent>> {
  const loaded = new Map<string, AttachedContent>();
  if (attachments.length === 0) {
    return loaded;
  }
  const rows = await database
    .selectFrom('files')
    .select(['id', 'type', 'sha256', 'text'])
    .where('id', 'in', inList(attachments.map(({ id }) => id)))
    .execute();
  const known = new Map(rows.map((row) => [row.id, row]));
  for (const { id, kind, shown } of attachments) {
    const row = known.get(id);
    if (row && kind === 'picture') {
      const bytes = await readContent(database, row.sha256);
      loaded.set(id, { image: { mediaType: row.type, data: bytes.toString('base64') } });
    } else if (row?.text) {
      const bytes = await readContent(database, row.text, shown * longestCharacter);
      // Half a character would be none.
      const text = bytes
        .toString('utf8')
        .slice(0, shown)
        .replace(/[\ud800-\udbff]$/, '');
      loaded.set(id, { text });
    }
  }
  return loaded;
}

/** In bytes of UTF-8, for one of UTF-16. */
const longestCharacter = 3;

/** Whether a conversation has a file with a text. */
export async function hasTexts(database: Kysely<Schema>, conversationId: string): Promise<boolean> {
  const row = await database
    .selectFrom('files')
    .select('id')
    .where('conversation_id', '=', conversationId)
    .where('text', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
