import { createHash } from 'node:crypto';
import type { StoredFile } from '@knowhow/shared/tools';
import { uuidInOrder } from '../lib/uuid-in-order.ts';
import type { Database } from '../storage/open-database.ts';

/** The files that tools have made in conversations. They go with the message that they came with. */
export interface ToolFiles {
  /** Those that there is no more room for are not kept. */
  keep(files: readonly FileOfTool[], at: Answer): Promise<StoredFile[]>;
  /** A file of somebody's own. */
  read(owner: string, id: string): Promise<WholeFile | undefined>;
  /** The newest of that name in a conversation. */
  find(conversationId: string, name: string): Promise<WholeFile | undefined>;
}

interface FileOfTool {
  name: string;
  type: string;
  bytes: Uint8Array;
}

interface Answer {
  conversationId: string;
  messageId: string;
}

export interface WholeFile extends StoredFile {
  bytes: Buffer;
}

const partBytes = 1024 * 1024;
/** What the files of a conversation may have together. */
const mostBytes = 256 * 1024 * 1024;

export function createToolFiles(database: Database): ToolFiles {
  const whole = async (row: StoredFile | undefined): Promise<WholeFile | undefined> => {
    if (!row) {
      return undefined;
    }
    const parts = await database
      .selectFrom('tool_file_parts')
      .select('bytes')
      .where('file_id', '=', row.id)
      .orderBy('part')
      .execute();
    return { ...row, bytes: Buffer.concat(parts.map(({ bytes }) => Buffer.from(bytes))) };
  };
  const found = () =>
    database
      .selectFrom('tool_files')
      .select(['tool_files.id', 'tool_files.name', 'tool_files.type', 'tool_files.size']);
  return {
    keep: async (files, at) => {
      const stored: StoredFile[] = [];
      let room = mostBytes - (await sizeOf(database, at.conversationId));
      for (const file of files) {
        room -= file.bytes.length;
        if (room >= 0) {
          stored.push(await store(database, file, at));
        }
      }
      return stored;
    },
    read: async (owner, id) =>
      whole(
        await found()
          .innerJoin('conversations', 'conversations.id', 'tool_files.conversation_id')
          .where('tool_files.id', '=', id)
          .where('conversations.owner', '=', owner)
          .executeTakeFirst(),
      ),
    find: async (conversationId, name) =>
      whole(
        await found()
          .where('conversation_id', '=', conversationId)
          .where('name', '=', name)
          .orderBy('id', 'desc')
          .executeTakeFirst(),
      ),
  };
}

async function sizeOf(database: Database, conversationId: string): Promise<number> {
  const { size } = await database
    .selectFrom('tool_files')
    .select(({ fn }) => fn.sum<number | string | bigint | null>('size').as('size'))
    .where('conversation_id', '=', conversationId)
    .executeTakeFirstOrThrow();
  return Number(size ?? 0);
}

async function store(
  database: Database,
  { name, type, bytes }: FileOfTool,
  { conversationId, messageId }: Answer,
): Promise<StoredFile> {
  const id = uuidInOrder();
  const size = bytes.length;
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  await database
    .insertInto('tool_files')
    .values({
      ...{ id, name, type, size, sha256 },
      ...{ conversation_id: conversationId, message_id: messageId },
    })
    .execute();
  for (let part = 0; part * partBytes < size; part += 1) {
    const some = bytes.subarray(part * partBytes, (part + 1) * partBytes);
    await database
      .insertInto('tool_file_parts')
      .values({ file_id: id, part, bytes: some })
      .execute();
  }
  return { id, name, type, size };
}
