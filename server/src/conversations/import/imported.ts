import type { ImportFormat } from '@knowhow/shared/chat/conversation-import';
import { titleOf } from '@knowhow/shared/chat/title-of';

/** A conversation of another product, as far as it is taken. */
export interface Imported {
  format: ImportFormat;
  /** What its product calls it: by that it is known when it comes again. */
  sourceId: string;
  title: string;
  /** ISO 8601, UTC. */
  createdAt: string;
  updatedAt: string;
  /** User and model in turns. */
  messages: ImportedMessage[];
}

/** One that its user sent along. */
export interface ImportedPicture {
  name: string;
  bytes: Buffer;
}

export interface ImportedMessage {
  role: 'user' | 'assistant';
  content: string;
  thinking: string;
  model: string;
  createdAt: string;
  pictures: ImportedPicture[];
}

/** Takes down what is not taken as it was. */
export type Losses = (what: string, isKept?: boolean) => void;

/** The longest text, of all texts together, in characters, and the most messages, of one conversation. */
const longestText = 200_000;
const mostText = 16_000_000;
const mostMessages = 10_000;
/** The most pictures of a message, and of all of a conversation, also in bytes: it can be gone on in with them. */
const mostPictures = 20;
const mostOfConversation = { pictures: 1000, bytes: 12 * 1024 * 1024 };

/** What a file says of a conversation, in whatever shape; times in seconds or as ISO 8601. */
interface Found {
  format: ImportFormat;
  sourceId: unknown;
  title: unknown;
  createdAt: unknown;
  updatedAt: unknown;
  messages: FoundMessage[];
}

export interface FoundMessage {
  role: 'user' | 'assistant';
  text: string;
  thinking?: string;
  model?: unknown;
  createdAt?: unknown;
  pictures?: ImportedPicture[];
}

/** Undefined for one in which nothing was said. */
export function importedOf(found: Found, losses: Losses): Imported | undefined {
  const now = new Date().toISOString();
  const createdAt = timeOf(found.createdAt) ?? now;
  const messages = inTurns(found.messages, createdAt, losses);
  if (messages.length === 0) {
    return undefined;
  }
  const title = plainLine(found.title) || titleOf(messages[0]?.content ?? '');
  return {
    format: found.format,
    sourceId: String(found.sourceId ?? '').slice(0, 200),
    title: title.slice(0, 200) || '…',
    createdAt,
    updatedAt: timeOf(found.updatedAt) ?? createdAt,
    messages,
  };
}

/** What the same one has said in a row is one message; a conversation begins with its user. */
function inTurns(found: FoundMessage[], at: string, losses: Losses): ImportedMessage[] {
  const messages: ImportedMessage[] = [];
  let time = at;
  let length = 0;
  const takePictures = pictureTaker(losses);
  for (const { role, text, thinking = '', model, createdAt, pictures = [] } of found) {
    time = timeOf(createdAt) ?? time;
    if (text.trim() === '' && thinking.trim() === '' && pictures.length === 0) {
      continue;
    }
    const last = messages.at(-1);
    length += text.length + thinking.length;
    if (messages.length >= mostMessages || length > mostText) {
      losses('cut');
      break;
    }
    if (last?.role === role) {
      last.content = cut([last.content, text].filter(Boolean).join('\n\n'), losses);
      last.thinking = cut([last.thinking, thinking].filter(Boolean).join('\n\n'), losses);
      last.model ||= nameOf(model);
      takePictures(pictures, last.pictures);
      continue;
    }
    if (!last && role === 'assistant') {
      messages.push(emptyQuestion(time));
    }
    messages.push({
      role,
      content: cut(text, losses) || (pictures.length > 0 ? '…' : ''),
      thinking: cut(thinking, losses),
      model: nameOf(model),
      createdAt: time,
      pictures: takePictures(pictures, []),
    });
  }
  return messages;
}

function emptyQuestion(createdAt: string): ImportedMessage {
  return { role: 'user', content: '…', thinking: '', model: '', createdAt, pictures: [] };
}

/** Adds pictures to those of a message, as long as there is room for them. */
function pictureTaker(losses: Losses) {
  const left = { ...mostOfConversation };
  return (pictures: readonly ImportedPicture[], into: ImportedPicture[]): ImportedPicture[] => {
    for (const picture of pictures) {
      const { length } = picture.bytes;
      if (into.length < mostPictures && left.pictures > 0 && length <= left.bytes) {
        into.push(picture);
        left.pictures -= 1;
        left.bytes -= length;
      } else {
        losses('pictures');
      }
    }
    return into;
  };
}

function cut(text: string, losses: Losses): string {
  // Half characters, and what a database ends a text at.
  const clean = Buffer.from(text).toString().replaceAll('\0', '');
  if (clean.length <= longestText) {
    return clean;
  }
  losses('cut');
  return clean.slice(0, longestText).replace(/[\ud800-\udbff]$/, '');
}

function nameOf(model: unknown): string {
  return plainLine(model).slice(0, 100);
}

function plainLine(value: unknown): string {
  return typeof value === 'string'
    ? value
        .slice(0, 1000)
        .replace(/[\s\p{Cc}\p{Cs}]+/gu, ' ')
        .trim()
    : '';
}

const firstYear = 1990;
const lastYear = 2200;

function timeOf(value: unknown): string | undefined {
  if (typeof value !== 'number' && typeof value !== 'string') {
    return undefined;
  }
  // Some count milliseconds.
  const date = new Date(typeof value === 'number' && value < 1e11 ? value * 1000 : value);
  const year = date.getUTCFullYear();
  return year >= firstYear && year <= lastYear ? date.toISOString() : undefined;
}

/** So many characters of JSON are indented: what is deep becomes much longer by that. */
const mostIndented = 1000;

/** A value as a block of JSON; empty for undefined. */
export function jsonBlock(value: unknown): string {
  return block(jsonText(value), 'json');
}

/** Empty for undefined. */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value) ?? '';
  return text.length > mostIndented ? text : (JSON.stringify(value, null, 2) ?? '');
}

/** A text that is no words of anybody, such as code or what a tool gave. */
export function block(text: string, language = ''): string {
  let longest = 2;
  for (const [run] of text.matchAll(/`{3,}/g)) {
    longest = Math.max(longest, run.length);
  }
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}
