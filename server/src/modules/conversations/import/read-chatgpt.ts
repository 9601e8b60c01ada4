import { z } from 'zod';
import type { OtherFiles } from '../../skills/index.ts';
import {
  block,
  type FoundMessage,
  type ImportedConversation,
  type ImportedPicture,
  normalizeConversation,
  type RecordLoss,
} from './imported.ts';
import { type Citation, replaceCitations } from './replace-citations.ts';

const pointerSchema = z.looseObject({ asset_pointer: z.string() });

/** The picture that a message part refers to; its file name in the zip starts with the pointer's ID. */
function findPicture(part: unknown, others: OtherFiles): ImportedPicture | undefined {
  const { data } = pointerSchema.safeParse(part);
  const id = getFileId(data?.asset_pointer.split('://').at(-1) ?? '');
  const name = id && namesById(others).get(id);
  const bytes = name && others.read(name);
  return bytes ? { name: baseName(name), bytes } : undefined;
}

/** The ID prefix of a file name: `file-` or `file_` plus alphanumerics. */
function getFileId(name: string): string | undefined {
  return /^file[-_][A-Za-z0-9]+/.exec(name)?.[0];
}

function baseName(name: string): string {
  return name.split(/[\\/]/).at(-1) ?? name;
}

const cache = new WeakMap<OtherFiles, ReadonlyMap<string, string>>();

function namesById(others: OtherFiles): ReadonlyMap<string, string> {
  const names =
    cache.get(others) ??
    new Map(
      others.names.flatMap((name) => {
        const id = getFileId(baseName(name));
        return id === undefined ? [] : [[id, name] as const];
      }),
    );
  cache.set(others, names);
  return names;
}

const conversationSchema = z.looseObject({
  id: z.unknown().optional(),
  conversation_id: z.unknown().optional(),
  title: z.unknown().optional(),
  create_time: z.unknown().optional(),
  update_time: z.unknown().optional(),
  current_node: z.string().nullish(),
  mapping: z.record(z.string(), z.unknown()),
});

const contentSchema = z.looseObject({
  content_type: z.string(),
  parts: z.array(z.unknown()).optional(),
  text: z.string().optional(),
  result: z.string().optional(),
  content: z.string().optional(),
  thoughts: z
    .array(z.looseObject({ summary: z.string().optional(), content: z.string().optional() }))
    .optional(),
});

const nodeSchema = z.looseObject({
  parent: z.string().nullish(),
  message: z
    .looseObject({
      author: z.looseObject({ role: z.string() }),
      create_time: z.unknown().optional(),
      content: contentSchema,
      metadata: z
        .looseObject({
          model_slug: z.unknown().optional(),
          content_references: z.array(z.unknown()).nullish(),
          citations: z.array(z.unknown()).nullish(),
          is_visually_hidden_from_conversation: z.boolean().optional(),
        })
        .nullish(),
    })
    .nullish(),
});
type ChatGptMessage = NonNullable<z.infer<typeof nodeSchema>['message']>;

/** Reads a conversation of ChatGPT's `conversations.json`: a tree, of which the branch shown last is imported. */
export function readChatGpt(
  value: unknown,
  losses: RecordLoss,
  others: OtherFiles,
): ImportedConversation | undefined {
  const { mapping, current_node, ...head } = conversationSchema.parse(value);
  const branch = getBranch(mapping, current_node ?? Object.keys(mapping).at(-1));
  const shown = new Set(branch);
  for (const id of Object.keys(mapping)) {
    if (!shown.has(id) && hasVisibleRole(nodeSchema.safeParse(mapping[id]).data?.message)) {
      losses('other-lines');
    }
  }
  const messages = branch.flatMap((id) => {
    const node = nodeSchema.safeParse(mapping[id]);
    if (!node.success) {
      losses('unreadable');
      return [];
    }
    return node.data.message ? messageOf(node.data.message, { losses, others }) : [];
  });
  return normalizeConversation(
    {
      format: 'chatgpt',
      sourceId: head.conversation_id ?? head.id,
      title: head.title,
      createdAt: head.create_time,
      updatedAt: head.update_time,
      messages,
    },
    losses,
  );
}

/** Node IDs from the root to the given node; guards against cycles. */
function getBranch(mapping: Record<string, unknown>, last: string | undefined): string[] {
  const branch = new Set<string>();
  for (let id = last; id !== undefined && Object.hasOwn(mapping, id) && !branch.has(id); ) {
    branch.add(id);
    id = nodeSchema.safeParse(mapping[id]).data?.parent ?? undefined;
  }
  return [...branch].reverse();
}

function hasVisibleRole(message: ChatGptMessage | null | undefined): boolean {
  const role = message?.author.role;
  return role === 'user' || role === 'assistant';
}

interface Source {
  losses: RecordLoss;
  others: OtherFiles;
}

const hiddenTypes: ReadonlySet<string> = new Set([
  'user_editable_context',
  'model_editable_context',
]);

function messageOf(message: ChatGptMessage, { losses, others }: Source): FoundMessage[] {
  const { author, content, metadata, create_time: createdAt } = message;
  const { role } = author;
  const pictures: ImportedPicture[] = [];
  const { text, thinking } = renderContent(
    content,
    (part) => {
      const picture = role === 'user' ? findPicture(part, others) : undefined;
      if (picture) {
        pictures.push(picture);
      }
      return picture !== undefined;
    },
    losses,
  );
  const isHidden =
    hiddenTypes.has(content.content_type) ||
    role === 'system' ||
    metadata?.is_visually_hidden_from_conversation === true;
  if (isHidden) {
    if (text.trim() !== '' || hiddenTypes.has(content.content_type)) {
      losses('instructions');
    }
    return [];
  }
  if (role !== 'user' && text.trim() !== '' && role !== 'assistant') {
    losses('tool-results', true);
  }
  const citations = [
    ...(metadata?.content_references ?? []).flatMap(parseReference),
    ...(metadata?.citations ?? []).flatMap(createCitationParser(text)),
  ];
  const isBlock = role !== 'user' && role !== 'assistant' && content.content_type === 'text';
  return [
    {
      role: role === 'user' ? 'user' : 'assistant',
      text: isBlock && text.trim() !== '' ? block(text) : replaceCitations(text, citations),
      thinking,
      model: metadata?.model_slug,
      createdAt,
      pictures,
    },
  ];
}

const linkSchema = z.looseObject({ url: z.string(), title: z.string().nullish() });
const referenceSchema = z.looseObject({
  matched_text: z.string(),
  url: z.unknown().optional(),
  title: z.unknown().optional(),
  items: z.array(z.unknown()).nullish(),
});
/** Maximum number of links per citation mark. */
const maxLinks = 5;

/** Parses a mark and its sources from `content_references`. */
function parseReference(value: unknown): Citation[] {
  const { data } = referenceSchema.safeParse(value);
  if (!data || data.matched_text.trim() === '') {
    return [];
  }
  const links = [data, ...(data.items ?? [])].flatMap(parseLink);
  return [{ mark: data.matched_text, links: links.slice(0, maxLinks) }];
}

const oldCitationSchema = z.looseObject({
  start_ix: z.number().int().min(0),
  end_ix: z.number().int().min(0),
  metadata: z.unknown(),
});

/** The same for exports from before 2025, which give offsets in the text. */
function createCitationParser(text: string): (value: unknown) => Citation[] {
  return (value) => {
    const { data } = oldCitationSchema.safeParse(value);
    return data
      ? [{ mark: text.slice(data.start_ix, data.end_ix), links: parseLink(data.metadata) }]
      : [];
  };
}

function parseLink(value: unknown): { title: string; url: string }[] {
  const { data } = linkSchema.safeParse(value);
  return data && /^https?:\/\/[^\s()<>]{1,2000}$/.test(data.url)
    ? [{ title: (data.title ?? '').slice(0, 200), url: data.url }]
    : [];
}

function renderContent(
  content: z.infer<typeof contentSchema>,
  takePicture: TakePicture,
  losses: RecordLoss,
): { text: string; thinking: string } {
  const { content_type: type, parts = [], text = '', result = '', thoughts = [] } = content;
  switch (type) {
    case 'text':
    case 'multimodal_text':
      return {
        text: parts
          .map((part) => partText(part, takePicture, losses))
          .filter(Boolean)
          .join('\n\n'),
        thinking: '',
      };
    case 'code':
    case 'execution_output':
    case 'tether_quote':
    case 'tether_browsing_display': {
      const shown = text || result;
      return { text: shown.trim() === '' ? '' : block(shown), thinking: '' };
    }
    case 'thoughts':
      return {
        text: '',
        thinking: thoughts
          .map(({ summary = '', content: thought = '' }) => `${summary}\n\n${thought}`.trim())
          .join('\n\n'),
      };
    case 'reasoning_recap':
      return { text: '', thinking: content.content ?? '' };
    default: {
      const known = text || parts.filter((part) => typeof part === 'string').join('\n\n');
      losses(type.slice(0, 100), known !== '');
      return { text: known, thinking: '' };
    }
  }
}

const partSchema = z.looseObject({ content_type: z.string(), text: z.string().optional() });

/** Takes a part as a picture; false if it is not one. */
type TakePicture = (part: unknown) => boolean;

function partText(part: unknown, takePicture: TakePicture, losses: RecordLoss): string {
  if (typeof part === 'string') {
    return part;
  }
  const { content_type: type = 'unreadable', text = '' } = partSchema.safeParse(part).data ?? {};
  if (type.includes('image')) {
    if (!takePicture(part)) {
      losses('pictures');
    }
  } else if (type.includes('audio') && text === '') {
    losses('audio');
  } else {
    losses(type.slice(0, 100), text !== '');
  }
  return text;
}
