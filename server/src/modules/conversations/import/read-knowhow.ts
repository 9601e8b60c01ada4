import { exportedConversationSchema } from '@knowhow/shared/chat/conversation-export';
import type { OtherFiles } from '../../skills/archives/wanted-files.ts';
import {
  block,
  type ImportedConversation,
  type ImportedPicture,
  jsonBlock,
  normalizeConversation,
  type RecordLoss,
} from './imported.ts';

/** Reads a conversation exported by this or another Knowhow installation. */
export function readKnowhow(
  value: unknown,
  losses: RecordLoss,
  others: OtherFiles,
): ImportedConversation | undefined {
  const { id, title, createdAt, updatedAt, messages } = exportedConversationSchema.parse(value);
  const found = messages.map((message) => {
    const { role, content, createdAt: at } = message;
    if (role === 'user') {
      const pictures: ImportedPicture[] = [];
      for (const { name, type, path } of message.files ?? []) {
        const isPicture = type.startsWith('image/');
        const bytes = isPicture && path !== undefined ? others.read(path) : undefined;
        if (bytes) {
          pictures.push({ name, bytes });
        } else {
          losses(isPicture ? 'pictures' : 'files');
        }
      }
      return { role, text: content, createdAt: at, pictures };
    }
    const calls = (message.calls ?? []).map(({ title: called, name, input, result }) => {
      losses('tool-results', true);
      const given = jsonBlock(input);
      return [called ?? name, given, ...(result ? [block(result)] : [])].join('\n\n');
    });
    const { model, thinking = '' } = message;
    return { role, text: [...calls, content].join('\n\n'), thinking, model, createdAt: at };
  });
  const head = { sourceId: id, title, createdAt, updatedAt };
  return normalizeConversation({ format: 'knowhow', ...head, messages: found }, losses);
}
