import { exportedConversationSchema } from '@knowhow/shared/chat/conversation-export';
import { isRecord } from '@knowhow/shared/is-record';
import { type OtherFiles, wantedFiles } from '../../skills/index.ts';
import type { ImportedConversation, RecordLoss } from './imported.ts';
import { block, type ImportedPicture, jsonBlock, normalizeConversation } from './imported.ts';
import { readChatGpt } from './read-chatgpt.ts';
import { readClaude } from './read-claude.ts';
import type { ImportAnswer, PackedMessage, PackedPicture, ReadImport } from './read-import.ts';
import { readOpenWebUi } from './read-open-webui.ts';

/** Limits: bytes of one conversation, conversations per file, and kinds of losses. */
const maxItemBytes = 16 * 1024 * 1024;
const maxConversations = 10_000;
const maxLossKinds = 50;
/** Maximum number of list items examined. */
const maxItems = 50_000;

/** Names of files in a zip that hold conversations. They are only matched, never used as paths (no path traversal). */
const conversationFiles = /(?:^|[\\/])(?:conversations|chat-export|knowhow)[^\\/]*\.json$/i;

/** Parses an export file: JSON, or a zip that contains it. Other content of the zip is ignored. */
export async function parseImport(bytes: Buffer): Promise<ImportAnswer> {
  const found = isZip(bytes)
    ? await wantedFiles(bytes, (name) => conversationFiles.test(name))
    : { files: [bytes], others: none };
  if ('fault' in found) {
    return { refused: `The zip is refused. ${found.fault}` };
  }
  const conversations = new Map<string, ImportedConversation>();
  const counts = new Map<string, { what: string; count: number; isKept: boolean }>();
  const losses: RecordLoss = (what, isKept = false) => {
    const key = `${what} ${isKept}`;
    const known = counts.get(key);
    if (known) {
      known.count += 1;
    } else if (counts.size < maxLossKinds) {
      counts.set(key, { what, count: 1, isKept });
    }
  };
  let itemCount = 0;
  for (const file of found.files) {
    for (const item of jsonItems(file)) {
      itemCount += 1;
      if (itemCount > maxItems) {
        losses('cut');
        break;
      }
      const conversation = readItem(item, losses, found.others);
      if (conversation && conversations.size < maxConversations) {
        const { format, sourceId } = conversation;
        conversations.set(
          sourceId ? `${format} ${sourceId}` : String(conversations.size),
          conversation,
        );
      } else if (conversation) {
        losses('cut');
      }
    }
  }
  if (conversations.size === 0) {
    return {
      refused:
        'The file contains no conversation that can be read. Choose the file that ChatGPT, Claude, Open WebUI or Knowhow has exported.',
    };
  }
  return { ...packConversations([...conversations.values()]), losses: [...counts.values()] };
}

const none: OtherFiles = { names: [], read: () => undefined };

function packConversations(
  conversations: ImportedConversation[],
): Pick<ReadImport, 'conversations' | 'texts' | 'pictures'> {
  const texts: Buffer[] = [];
  const pictureBytes: Buffer[] = [];
  let pictureEnd = 0;
  let end = 0;
  const heads = conversations.map(({ messages, ...head }) => {
    const own: PackedPicture[] = [];
    const packedMessages = messages.map(({ pictures, ...message }): PackedMessage => {
      const numbers = pictures.map(({ name, bytes }) => {
        own.push({ name, start: pictureEnd, end: pictureEnd + bytes.length });
        pictureEnd += bytes.length;
        pictureBytes.push(bytes);
        return own.length - 1;
      });
      return { ...message, pictures: numbers };
    });
    const text = Buffer.from(JSON.stringify(packedMessages));
    const start = end;
    end += text.length;
    texts.push(text);
    const characters = messages.reduce((sum, { content }) => sum + content.length, 0);
    return { ...head, messages: messages.length, characters, start, end, pictures: own };
  });
  return {
    conversations: heads,
    texts: concatenate(texts, end),
    pictures: concatenate(pictureBytes, pictureEnd),
  };
}

function concatenate(parts: readonly Buffer[], length: number): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function isZip(bytes: Buffer): boolean {
  return bytes.length > 4 && bytes.readUInt32BE(0) === 0x504b0304;
}

function readItem(
  item: Buffer,
  losses: RecordLoss,
  others: OtherFiles,
): ImportedConversation | undefined {
  const value = item.length > maxItemBytes ? undefined : tryParse(item);
  const read = findReader(value);
  try {
    if (read) {
      return read(value, losses, others);
    }
  } catch {
    // The shape did not match its reader's schema.
  }
  losses('unreadable');
  return undefined;
}

function tryParse(item: Buffer): unknown {
  try {
    return JSON.parse(item.toString());
  } catch {
    return undefined;
  }
}

function findReader(value: unknown) {
  if (!isRecord(value)) {
    return undefined;
  }
  if (isRecord(value.mapping)) {
    return readChatGpt;
  }
  if (Array.isArray(value.chat_messages)) {
    return readClaude;
  }
  if (isRecord(value.chat)) {
    return readOpenWebUi;
  }
  return value.format === 'knowhow-conversation' ? readKnowhow : undefined;
}

const quote = 0x22;

const backslash = 0x5c;

const opening: ReadonlySet<number> = new Set([0x7b, 0x5b]);

const closing: ReadonlySet<number> = new Set([0x7d, 0x5d]);

const listStart = 0x5b;

/**
 * Splits a JSON array into its objects and arrays, or yields a single top-level object, for parsing one by one.
 * Parsing everything at once can take ten times the memory. Yields nothing for other input.
 */
function* jsonItems(bytes: Buffer): Generator<Buffer> {
  const start = bytes.findIndex((byte) => opening.has(byte));
  const base = bytes[start] === listStart ? 1 : 0;
  let depth = 0;
  let from = start;
  let isText = false;
  for (let at = Math.max(0, start); at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (isText) {
      if (byte === backslash) {
        at += 1;
      } else if (byte === quote) {
        isText = false;
      }
    } else if (byte === quote) {
      isText = true;
    } else if (opening.has(byte)) {
      if (depth === base) {
        from = at;
      }
      depth += 1;
    } else if (closing.has(byte)) {
      depth -= 1;
      if (depth === base) {
        yield bytes.subarray(from, at + 1);
      }
    }
  }
}

/** Reads a conversation exported by this or another Knowhow installation. */
function readKnowhow(
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
