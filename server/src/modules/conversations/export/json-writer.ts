import type { Attachment } from '@knowhow/shared/chat/attachments';
import type { ExportedConversation } from '@knowhow/shared/chat/conversation-export';
import type { FrozenMessage } from '../sharing/freeze-message.ts';
import type { ExportWriter } from './export-writer.ts';

type ExportedMessage = ExportedConversation['messages'][number];

/** Path of a file in the archive; undefined if it is not included. */
type GetPath = (file: Attachment) => string | undefined;

/** Writes JSON that conforms to `exportedConversationSchema`. */
export function jsonWriter(getPath: GetPath = () => undefined): ExportWriter {
  return {
    begin: ({ id, title, created_at: createdAt, updated_at: updatedAt }) => {
      const head: Omit<ExportedConversation, 'messages'> = {
        format: 'knowhow-conversation',
        version: 1,
        id,
        title,
        createdAt,
        updatedAt,
      };
      return `${JSON.stringify(head).slice(0, -1)},"messages":[`;
    },
    write: (messages, from) =>
      messages.map((message, index) => {
        const text = JSON.stringify(toExported(message, getPath));
        return from + index === 0 ? `\n${text}` : `,\n${text}`;
      }),
    end: () => '\n]}\n',
  };
}

function toExported(message: FrozenMessage, getPath: GetPath): ExportedMessage {
  const { content, createdAt } = message;
  if (message.role === 'user') {
    const { skills, attachments } = message;
    return {
      role: 'user',
      content,
      createdAt,
      ...(skills.length > 0 ? { skills } : {}),
      ...(attachments
        ? {
            files: attachments.map((file) => {
              const { name, type, size } = file;
              const path = getPath(file);
              return { name, type, size, ...(path === undefined ? {} : { path }) };
            }),
          }
        : {}),
    };
  }
  const { model, status, activations, thinking, toolCalls, results } = message;
  return {
    role: 'assistant',
    content,
    createdAt,
    model,
    status,
    ...(activations.length > 0 ? { skills: activations.map(({ name }) => name) } : {}),
    ...(thinking === '' ? {} : { thinking }),
    ...(results && toolCalls.length > 0
      ? {
          calls: toolCalls.map(({ name, title, source, input, error }, number) => ({
            name,
            input,
            isError: error,
            result: results[number] ?? null,
            ...(title === undefined ? {} : { title }),
            ...(source === undefined ? {} : { source }),
          })),
        }
      : {}),
  };
}
