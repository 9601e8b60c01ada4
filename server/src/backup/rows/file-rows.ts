import { attachmentSchema } from '@knowhow/shared/chat/attachments';
import { z } from 'zod';
import type { Database } from '../../storage/open-database.ts';
import type { Schema } from '../../storage/schema.ts';

const sha256 = z.string().regex(/^[\da-f]{64}$/);
const details = attachmentSchema
  .omit({ id: true, name: true, type: true, size: true })
  .extend({ marks: z.array(z.object({ name: z.string(), at: z.number().int() })).optional() });

/** A file that was sent with a message, as a backup brings it. */
export const fileRow = z.strictObject({
  id: z.string().min(1).max(100),
  owner: z.string(),
  conversation_id: z.uuid(),
  message_id: z.uuid(),
  name: z.string().min(1).max(300),
  type: z.string().max(200),
  size: z.number().int().min(0),
  sha256,
  text: sha256.nullable(),
  details: z.string().refine(isDetails, 'Not what is said of a file.'),
  created_at: z.iso.datetime(),
}) satisfies z.ZodType<Schema['files']>;

/** A part of what a file holds: in a backup in base64. */
export const fileContentRow = z.strictObject({
  sha256,
  part: z.number().int().min(0),
  bytes: z.base64().transform((written) => Buffer.from(written, 'base64')),
}) as unknown as z.ZodType<Schema['file_contents']>;

function isDetails(written: string): boolean {
  try {
    return details.safeParse(JSON.parse(written)).success;
  } catch {
    return false;
  }
}

/**
 * What the files may hold that one backup takes, in bytes: the newest come first. It must find room in what a restore
 * unpacks.
 */
const mostBytes = 768 * 1024 * 1024;

/** The contents of files that were sent, as lines of JSON, one at a time. */
export async function* exportContents(database: Database): AsyncGenerator<string> {
  for (const sha256 of await keptContents(database)) {
    for (let part = 0; ; part += 1) {
      const row = await database
        .selectFrom('file_contents')
        .selectAll()
        .where('sha256', '=', sha256)
        .where('part', '=', part)
        .executeTakeFirst();
      if (!row) {
        break;
      }
      yield `${JSON.stringify({ ...row, bytes: inBase64(row.bytes) })}\n`;
    }
  }
}

/** Rows of a former release come as they were written, and are taken as they are. */
function inBase64(bytes: ArrayBuffer | string): string {
  return typeof bytes === 'string' ? bytes : Buffer.from(bytes).toString('base64');
}

async function keptContents(database: Database): Promise<Set<string>> {
  const files = await sentFiles(database)
    .select(['size', 'sha256', 'text'])
    .orderBy('id', 'desc')
    .execute();
  const kept = new Set<string>();
  let size = 0;
  for (const file of files) {
    size += kept.has(file.sha256) ? 0 : file.size;
    if (size > mostBytes) {
      break;
    }
    kept.add(file.sha256);
    if (file.text !== null) {
      kept.add(file.text);
    }
  }
  return kept;
}

/** Those that users have sent: what tools have made, and what nobody has sent, is in no backup. */
export function sentFiles(database: Database) {
  return database
    .selectFrom('files')
    .where('owner', 'is not', null)
    .where('message_id', 'is not', null);
}
