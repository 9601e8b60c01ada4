import { backupTable } from '../../../platform/storage/module-tables.ts';
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
import { exportContents, fileContentRow, fileRow } from './file-rows.ts';

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
    // Those of unsent files remain, and may be the same.
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
