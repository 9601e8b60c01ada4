import { isRecord } from '@knowhow/shared/is-record';
import { type OtherFiles, wantedFiles } from '../../archives/wanted-files.ts';
import type { Imported, Losses } from './imported.ts';
import { jsonItems } from './json-items.ts';
import { readChatGpt } from './read-chatgpt.ts';
import { readClaude } from './read-claude.ts';
import type { ImportAnswer, PackedMessage, PackedPicture, ReadImport } from './read-import.ts';
import { readOpenWebUi } from './read-open-webui.ts';
import { readOwn } from './read-own.ts';

/** Of one conversation, in bytes; as many conversations of one file, and as many kinds of what is left out. */
const longestItem = 16 * 1024 * 1024;
const mostConversations = 10_000;
const mostKinds = 50;
/** So many things of a list are looked at. */
const mostItems = 50_000;

/** The files of a zip that hold conversations, by their names, none of which is ever a path here. */
const conversationFiles = /(?:^|[\\/])(?:conversations|chat-export|knowhow)[^\\/]*\.json$/i;

/** What an export file holds: JSON, or a zip with it. What is in it beside conversations is passed over. */
export async function parseImport(bytes: Buffer): Promise<ImportAnswer> {
  const found = isZip(bytes)
    ? await wantedFiles(bytes, (name) => conversationFiles.test(name))
    : { files: [bytes], others: none };
  if ('fault' in found) {
    return { refused: `The zip is refused. ${found.fault}` };
  }
  const conversations = new Map<string, Imported>();
  const counts = new Map<string, { what: string; count: number; isKept: boolean }>();
  const losses: Losses = (what, isKept = false) => {
    const key = `${what} ${isKept}`;
    const known = counts.get(key);
    if (known) {
      known.count += 1;
    } else if (counts.size < mostKinds) {
      counts.set(key, { what, count: 1, isKept });
    }
  };
  let looked = 0;
  for (const file of found.files) {
    for (const item of jsonItems(file)) {
      looked += 1;
      if (looked > mostItems) {
        losses('cut');
        break;
      }
      const conversation = readItem(item, losses, found.others);
      if (conversation && conversations.size < mostConversations) {
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
        'The file holds no conversation that can be read. Choose the file that ChatGPT, Claude, Open WebUI or Knowhow has exported.',
    };
  }
  return { ...packed([...conversations.values()]), losses: [...counts.values()] };
}

const none: OtherFiles = { names: [], read: () => undefined };

function packed(
  conversations: Imported[],
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
    texts: joined(texts, end),
    pictures: joined(pictureBytes, pictureEnd),
  };
}

function joined(parts: readonly Buffer[], length: number): Uint8Array<ArrayBuffer> {
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

function readItem(item: Buffer, losses: Losses, others: OtherFiles): Imported | undefined {
  const value = item.length > longestItem ? undefined : parsed(item);
  const read = readerOf(value);
  try {
    if (read) {
      return read(value, losses, others);
    }
  } catch {
    // Not what it looks like.
  }
  losses('unreadable');
  return undefined;
}

function parsed(item: Buffer): unknown {
  try {
    return JSON.parse(item.toString());
  } catch {
    return undefined;
  }
}

function readerOf(value: unknown) {
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
  return value.format === 'knowhow-conversation' ? readOwn : undefined;
}
