import {
  type Attachment,
  attachmentSchema,
  type SentAttachment,
} from '@knowhow/shared/chat/attachments';
import { problem } from '@knowhow/shared/problem';
import type { Kysely, Selectable } from 'kysely';
import { inList } from '../../platform/storage/in-list.ts';
import type { Schema } from '../../platform/storage/schema.ts';
import type { ModelImage } from '../models/index.ts';
import { readContent } from './file-contents.ts';

/** Content of an attached file for a model. */
export interface AttachedContent {
  /** The part of its text that goes with the message. */
  text?: string;
  image?: ModelImage;
}

export interface AttachableIn {
  owner: string;
  conversationId: string;
  /** ID of the message to replace; its files may go with the new one. */
  replaces?: string | undefined;
}

/**
 * Finds uploaded files by ID and gives each a name that is unique in the conversation. Throws `not-found` for files
 * that are missing, belong to another user or went with another message.
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
  const usedNames = new Set(others.map(({ name }) => name));
  return [...new Set(ids)].map((id) => {
    const row = known.get(id);
    if (!row) {
      throw problem('not-found', 'A file no longer exists. Attach it again.');
    }
    const name = uniqueName(row.name, usedNames);
    usedNames.add(name);
    return { ...toAttachment(row), name };
  });
}

function uniqueName(name: string, usedNames: ReadonlySet<string>): string {
  const [, stem = name, extension = ''] = /^(.+?)(\.[^.]{1,10})?$/.exec(name) ?? [];
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? name : `${stem} (${number})${extension}`;
    if (!usedNames.has(candidate)) {
      return candidate;
    }
  }
}

/** Metadata of an uploaded file. */
export function toAttachment(row: Selectable<Schema['files']>): Attachment {
  const { id, name, type, size, details } = row;
  return attachmentSchema.parse({ ...JSON.parse(details ?? '{}'), id, name, type, size });
}

/** Binds files to the message they are attached to. Throws `not-found` if one is gone. */
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
      throw problem('not-found', `The file '${name}' no longer exists. Attach it again.`);
    }
  }
}

/** Content of attached files by ID; texts up to the length that is shown. */
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
      const bytes = await readContent(database, row.text, shown * maxBytesPerCharacter);
      // Drops a trailing unpaired surrogate.
      const text = bytes
        .toString('utf8')
        .slice(0, shown)
        .replace(/[\ud800-\udbff]$/, '');
      loaded.set(id, { text });
    }
  }
  return loaded;
}

/** Maximum UTF-8 bytes per UTF-16 code unit. */
const maxBytesPerCharacter = 3;
