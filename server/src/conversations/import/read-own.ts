import { exportedConversationSchema } from '@knowhow/shared/conversation-export';
import { block, type Imported, importedOf, jsonBlock, type Losses } from './imported.ts';

/** A conversation that was exported from here, or from another installation. */
export function readOwn(value: unknown, losses: Losses): Imported | undefined {
  const { id, title, createdAt, updatedAt, messages } = exportedConversationSchema.parse(value);
  const found = messages.map((message) => {
    const { role, content, createdAt: at } = message;
    if (role === 'user') {
      for (const _ of message.files ?? []) {
        losses('files');
      }
      return { role, text: content, createdAt: at };
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
