import { exportedConversationSchema } from '@knowhow/shared/chat/conversation-export';
import type { OtherFiles } from '../../archives/wanted-files.ts';
import {
  block,
  type Imported,
  type ImportedPicture,
  importedOf,
  jsonBlock,
  type Losses,
} from './imported.ts';

/** Reads a conversation exported by this or another Knowhow installation. */
export function readOwn(value: unknown, losses: Losses, others: OtherFiles): Imported | undefined {
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
  return importedOf({ format: 'knowhow', ...head, messages: found }, losses);
}
