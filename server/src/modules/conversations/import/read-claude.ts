import { z } from 'zod';
import {
  block,
  type FoundMessage,
  type ImportedConversation,
  jsonBlock,
  jsonText,
  normalizeConversation,
  type RecordLoss,
} from './imported.ts';
import { replaceCitations } from './replace-citations.ts';

const messageSchema = z.looseObject({
  uuid: z.string().optional(),
  parent_message_uuid: z.string().nullish(),
  sender: z.string(),
  text: z.string().nullish(),
  content: z.array(z.unknown()).nullish(),
  created_at: z.unknown().optional(),
  attachments: z.array(z.unknown()).nullish(),
  files: z.array(z.unknown()).nullish(),
});
type ClaudeMessage = z.infer<typeof messageSchema>;

const conversationSchema = z.looseObject({
  uuid: z.unknown().optional(),
  name: z.unknown().optional(),
  model: z.unknown().optional(),
  created_at: z.unknown().optional(),
  updated_at: z.unknown().optional(),
  current_leaf_message_uuid: z.string().nullish(),
  chat_messages: z.array(z.unknown()),
});

/** Reads a conversation of Claude's `conversations.json`: a list in which messages may name their parent. */
export function readClaude(value: unknown, losses: RecordLoss): ImportedConversation | undefined {
  const {
    chat_messages,
    current_leaf_message_uuid: leaf,
    ...head
  } = conversationSchema.parse(value);
  const all = chat_messages.flatMap((each) => {
    const { data } = messageSchema.safeParse(each);
    if (!data) {
      losses('unreadable');
    }
    return data ?? [];
  });
  const branch = getBranch(all, leaf);
  for (let skipped = all.length - branch.length; skipped > 0; skipped -= 1) {
    losses('other-lines');
  }
  const messages = branch.map((message) => messageOf(message, head.model, losses));
  return normalizeConversation(
    {
      format: 'claude',
      sourceId: head.uuid,
      title: head.name,
      createdAt: head.created_at,
      updatedAt: head.updated_at,
      messages,
    },
    losses,
  );
}

/** Messages from the root to the leaf; all messages if no leaf is given. */
function getBranch(all: ClaudeMessage[], leaf: string | null | undefined): ClaudeMessage[] {
  // Messages without an ID cannot be linked.
  const byId = new Map(all.flatMap((message) => (message.uuid ? [[message.uuid, message]] : [])));
  const branch = new Set<ClaudeMessage>();
  for (let message = byId.get(leaf ?? ''); message && !branch.has(message); ) {
    branch.add(message);
    message = byId.get(message.parent_message_uuid ?? '');
  }
  return branch.size === 0 ? all : [...branch].reverse();
}

function messageOf(message: ClaudeMessage, model: unknown, losses: RecordLoss): FoundMessage {
  const { sender, text, content, created_at: createdAt } = message;
  const parts = (content ?? []).map((part) => blockText(part, losses));
  const texts = parts.map((part) => part.text).filter(Boolean);
  const thinking = parts.map((part) => part.thinking ?? '').filter(Boolean);
  const attached = (message.attachments ?? []).map((each) => attachmentText(each, losses));
  for (const _ of message.files ?? []) {
    losses('files');
  }
  return {
    role: sender === 'human' || sender === 'user' ? 'user' : 'assistant',
    text: replaceCitations(
      [...attached, ...(texts.length > 0 ? texts : [text ?? ''])].filter(Boolean).join('\n\n'),
    ),
    thinking: thinking.join('\n\n'),
    model,
    createdAt,
  };
}

const blockSchema = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  thinking: z.string().optional(),
  name: z.string().optional(),
  input: z.unknown().optional(),
  content: z.unknown().optional(),
});

/** Internal block types that were never visible. */
const ignoredTypes: ReadonlySet<string> = new Set(['token_budget', 'flag']);

function blockText(value: unknown, losses: RecordLoss): { text: string; thinking?: string } {
  const { data } = blockSchema.safeParse(value);
  if (!data) {
    losses('unreadable');
    return { text: '' };
  }
  const { type, text = '', name = '' } = data;
  switch (type) {
    case 'text':
      return { text };
    case 'thinking':
      return { text: '', thinking: data.thinking ?? text };
    case 'tool_use':
      losses('tool-results', true);
      return { text: `${name}\n\n${jsonBlock(data.input)}` };
    case 'tool_result':
      losses('tool-results', true);
      return { text: block(resultText(data.content)) };
    default:
      if (!ignoredTypes.has(type)) {
        losses(type.slice(0, 100), text !== '');
      }
      return { text };
  }
}

const resultSchema = z.array(z.looseObject({ text: z.string().optional() }));

function resultText(content: unknown): string {
  const list = resultSchema.safeParse(content).data?.map(({ text }) => text ?? '');
  return list?.some(Boolean) ? list.join('\n') : jsonText(content);
}

const attachmentSchema = z.looseObject({
  file_name: z.string().optional(),
  extracted_content: z.string().optional(),
});

/** Renders an attached file as its extracted text. */
function attachmentText(value: unknown, losses: RecordLoss): string {
  const { file_name: name = '', extracted_content: text = '' } =
    attachmentSchema.safeParse(value).data ?? {};
  losses('files', text !== '');
  return text === '' ? '' : `${name.slice(0, 200)}\n\n${block(text)}`;
}
