import { z } from 'zod';
import {
  type FoundMessage,
  type ImportedConversation,
  type ImportedPicture,
  normalizeConversation,
  type RecordLoss,
} from './imported.ts';
import { replaceCitations } from './replace-citations.ts';

const messageSchema = z.looseObject({
  id: z.string().optional(),
  parentId: z.string().nullish(),
  role: z.string(),
  content: z.unknown().optional(),
  timestamp: z.unknown().optional(),
  model: z.unknown().optional(),
  modelName: z.unknown().optional(),
  files: z.array(z.unknown()).nullish(),
});
type WebUiMessage = z.infer<typeof messageSchema>;

const chatSchema = z.looseObject({
  id: z.unknown().optional(),
  title: z.unknown().optional(),
  timestamp: z.unknown().optional(),
  history: z
    .looseObject({
      messages: z.record(z.string(), z.unknown()),
      currentId: z.string().nullish(),
    })
    .nullish(),
  messages: z.array(z.unknown()).nullish(),
});

const conversationSchema = z.looseObject({
  id: z.unknown().optional(),
  title: z.unknown().optional(),
  created_at: z.unknown().optional(),
  updated_at: z.unknown().optional(),
  chat: chatSchema,
});

/** Reads a conversation from an Open WebUI export: a tree with the ID of the last message shown. */
export function readOpenWebUi(
  value: unknown,
  losses: RecordLoss,
): ImportedConversation | undefined {
  const { chat, ...head } = conversationSchema.parse(value);
  const { line, others } = getBranch(chat, losses);
  for (let skipped = others; skipped > 0; skipped -= 1) {
    losses('other-lines');
  }
  const messages = line.flatMap((message) => messageOf(message, losses));
  return normalizeConversation(
    {
      format: 'open-webui',
      sourceId: head.id ?? chat.id,
      title: head.title ?? chat.title,
      createdAt: head.created_at ?? chat.timestamp,
      updatedAt: head.updated_at,
      messages,
    },
    losses,
  );
}

function getBranch(
  { history, messages }: z.infer<typeof chatSchema>,
  losses: RecordLoss,
): { line: WebUiMessage[]; others: number } {
  const parseMessage = (value: unknown) => {
    const { data } = messageSchema.safeParse(value);
    if (!data) {
      losses('unreadable');
    }
    return data;
  };
  const tree = new Map(
    Object.entries(history?.messages ?? {}).map(([id, value]) => [id, parseMessage(value)]),
  );
  const line = new Set<WebUiMessage>();
  for (let message = tree.get(history?.currentId ?? ''); message && !line.has(message); ) {
    line.add(message);
    message = tree.get(message.parentId ?? '');
  }
  if (line.size > 0) {
    return { line: [...line].reverse(), others: tree.size - line.size };
  }
  return { line: (messages ?? []).flatMap((value) => parseMessage(value) ?? []), others: 0 };
}

const pictureSchema = z.looseObject({
  type: z.literal('image'),
  url: z.string().optional(),
  name: z.string().optional(),
});

const partSchema = z.array(z.looseObject({ type: z.string(), text: z.string().optional() }));

function messageOf(message: WebUiMessage, losses: RecordLoss): FoundMessage[] {
  const { role, content, files, model, modelName, timestamp: createdAt } = message;
  const pictures: ImportedPicture[] = [];
  for (const file of files ?? []) {
    const { success: isPicture, data } = pictureSchema.safeParse(file);
    const [, encoded] = /^data:image\/[a-z]+;base64,/.exec(data?.url ?? '')
      ? (data?.url ?? '').split(',')
      : [];
    if (encoded !== undefined && role === 'user') {
      pictures.push({ name: data?.name ?? 'picture', bytes: Buffer.from(encoded, 'base64') });
    } else {
      losses(isPicture ? 'pictures' : 'files');
    }
  }
  if (role !== 'user' && role !== 'assistant') {
    losses('instructions');
    return [];
  }
  const text = replaceCitations(typeof content === 'string' ? content : partsText(content, losses));
  return [{ role, ...withoutReasoning(text), model: modelName ?? model, createdAt, pictures }];
}

function partsText(content: unknown, losses: RecordLoss): string {
  const parts = partSchema.safeParse(content).data ?? [];
  return parts
    .map(({ type, text }) => {
      if (text === undefined) {
        losses(type.includes('image') ? 'pictures' : type.slice(0, 100));
      }
      return text ?? '';
    })
    .join('\n\n');
}

const opening = '<details type="reasoning"';
const closing = '</details>';

/**
 * Extracts the reasoning, which precedes the answer in a tag. Searched by index, because a regular expression might
 * not be linear.
 */
function withoutReasoning(content: string): { text: string; thinking: string } {
  const remaining: string[] = [];
  const thoughts: string[] = [];
  let from = 0;
  for (let start = content.indexOf(opening); start >= 0; start = content.indexOf(opening, from)) {
    const end = content.indexOf(closing, start);
    if (end < 0) {
      break;
    }
    remaining.push(content.slice(from, start));
    const inner = content.slice(content.indexOf('>', start) + 1, end);
    const summaryEnd = inner.indexOf('</summary>');
    thoughts.push(inner.slice(summaryEnd < 0 ? 0 : summaryEnd + '</summary>'.length).trim());
    from = end + closing.length;
  }
  return { text: remaining.join('') + content.slice(from), thinking: thoughts.join('\n\n') };
}
