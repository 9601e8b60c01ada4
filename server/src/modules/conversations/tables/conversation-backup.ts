import { attachmentSchema } from '@knowhow/shared/chat/attachments';
import { z } from 'zod';
import { backupTable } from '../../../platform/storage/module-tables.ts';
import type { Database } from '../../../platform/storage/open-database.ts';
import type { Schema } from '../../../platform/storage/schema.ts';
import {
  activationRow,
  branchRow,
  compactionRow,
  conversationRow,
  feedbackRow,
  messageRow,
  skillTextRow,
  toolResultRow,
  vendorStateRow,
} from './backup-rows.ts';

const sha256 = z.string().regex(/^[\da-f]{64}$/);

const details = attachmentSchema
  .omit({ id: true, name: true, type: true, size: true })
  .extend({ marks: z.array(z.object({ name: z.string(), at: z.number().int() })).optional() });

/** An attached file in a backup. */
const fileRow = z.strictObject({
  id: z.string().min(1).max(100),
  owner: z.string(),
  conversation_id: z.uuid(),
  message_id: z.uuid(),
  name: z.string().min(1).max(300),
  type: z.string().max(200),
  size: z.number().int().min(0),
  sha256,
  text: sha256.nullable(),
  details: z.string().refine(isDetails, 'Not valid details of a file.'),
  created_at: z.iso.datetime(),
}) satisfies z.ZodType<Schema['files']>;

/** A chunk of a file's content, encoded as base64 in a backup. */
const fileContentRow = z.strictObject({
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

/** Maximum bytes of files in a backup; the newest take precedence. Must fit the limit for unpacking. */
const maxBytes = 768 * 1024 * 1024;

/** Yields the contents of attached files as JSON lines, one chunk each. */
async function* exportContents(database: Database): AsyncGenerator<string> {
  for (const sha256 of await selectContents(database)) {
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
      const bytes = Buffer.from(row.bytes).toString('base64');
      yield `${JSON.stringify({ ...row, bytes })}\n`;
    }
  }
}

async function selectContents(database: Database): Promise<Set<string>> {
  const files = await database
    .selectFrom('files')
    .select(['size', 'sha256', 'text'])
    .where('owner', 'is not', null)
    .where('message_id', 'is not', null)
    .orderBy('id', 'desc')
    .execute();
  const selected = new Set<string>();
  let size = 0;
  for (const file of files) {
    size += selected.has(file.sha256) ? 0 : file.size;
    if (size > maxBytes) {
      break;
    }
    selected.add(file.sha256);
    if (file.text !== null) {
      selected.add(file.text);
    }
  }
  return selected;
}

/** Tables of conversations in a backup, parents first. */
export const conversationBackup = [
  backupTable('conversations', {
    part: 'conversations',
    key: ['id'],
    unique: ['id'],
    row: conversationRow,
  }),
  backupTable('messages', {
    part: 'conversations',
    key: ['id'],
    row: messageRow,
    parents: { conversation_id: 'conversations' },
  }),
  backupTable('skill_texts', {
    part: 'conversations',
    key: ['checksum'],
    unique: ['checksum'],
    row: skillTextRow,
  }),
  backupTable('activations', {
    part: 'conversations',
    key: ['id'],
    row: activationRow,
    parents: { conversation_id: 'conversations' },
  }),
  backupTable('tool_results', {
    part: 'conversations',
    key: ['message_id', 'number'],
    row: toolResultRow,
    parents: { conversation_id: 'conversations', message_id: 'messages' },
  }),
  backupTable('vendor_states', {
    part: 'conversations',
    key: ['message_id', 'round'],
    row: vendorStateRow,
    parents: { conversation_id: 'conversations', message_id: 'messages' },
  }),
  backupTable('compactions', {
    part: 'conversations',
    key: ['id'],
    unique: ['id'],
    row: compactionRow,
    parents: { conversation_id: 'conversations', message_id: 'messages' },
  }),
  backupTable('feedback', {
    part: 'conversations',
    key: ['message_id'],
    row: feedbackRow,
    parents: { conversation_id: 'conversations', message_id: 'messages' },
  }),
  backupTable('files', {
    part: 'conversations',
    key: ['id'],
    unique: ['id'],
    row: fileRow,
    parents: { conversation_id: 'conversations', message_id: 'messages' },
    // Without files of tools and unsent uploads.
    exportedIf: ['owner', 'message_id'],
  }),
  backupTable('file_contents', {
    part: 'conversations',
    key: ['sha256', 'part'],
    row: fileContentRow,
    // Contents of unsent files remain, and may be the same.
    keepsRows: true,
    exportRows: exportContents,
  }),
  backupTable('lines', {
    part: 'conversations',
    key: ['id'],
    unique: ['id'],
    row: branchRow,
    parents: { id: 'conversations', conversation_id: 'conversations' },
  }),
];
