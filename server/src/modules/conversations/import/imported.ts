import type { ImportFormat } from '@knowhow/shared/chat/conversation-import';
import { createTitle } from '@knowhow/shared/chat/create-title';

/** A conversation of another product, normalised. */
export interface ImportedConversation {
  format: ImportFormat;
  /** ID in the source product, for recognising it on a repeated import. */
  sourceId: string;
  title: string;
  /** ISO 8601, UTC. */
  createdAt: string;
  updatedAt: string;
  /** Alternating user and assistant messages. */
  messages: ImportedMessage[];
}

/** A picture attached by the user. */
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

/** Records content that was dropped, or changed if `isKept`. */
export type RecordLoss = (what: string, isKept?: boolean) => void;

/** Limits per conversation: characters of one text and of all texts, and number of messages. */
const maxTextLength = 200_000;
const maxTotalLength = 16_000_000;
const maxMessages = 10_000;
/** Limits for pictures per message and per conversation, so that the conversation can be continued with them. */
const maxPicturesPerMessage = 20;
const maxPerConversation = { pictures: 1000, bytes: 12 * 1024 * 1024 };

/** Unvalidated data of a conversation; times in seconds, milliseconds or as ISO 8601. */
interface RawConversation {
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

/** Normalises a conversation; undefined if it has no content. */
export function normalizeConversation(
  found: RawConversation,
  losses: RecordLoss,
): ImportedConversation | undefined {
  const now = new Date().toISOString();
  const createdAt = parseTime(found.createdAt) ?? now;
  const messages = alternate(found.messages, createdAt, losses);
  if (messages.length === 0) {
    return undefined;
  }
  const title = plainLine(found.title) || createTitle(messages[0]?.content ?? '');
  return {
    format: found.format,
    sourceId: String(found.sourceId ?? '').slice(0, 200),
    title: title.slice(0, 200) || '…',
    createdAt,
    updatedAt: parseTime(found.updatedAt) ?? createdAt,
    messages,
  };
}

/** Merges consecutive messages of the same role and makes the conversation start with the user. */
function alternate(found: FoundMessage[], at: string, losses: RecordLoss): ImportedMessage[] {
  const messages: ImportedMessage[] = [];
  let time = at;
  let length = 0;
  const collectPictures = createPictureCollector(losses);
  for (const { role, text, thinking = '', model, createdAt, pictures = [] } of found) {
    time = parseTime(createdAt) ?? time;
    if (text.trim() === '' && thinking.trim() === '' && pictures.length === 0) {
      continue;
    }
    const last = messages.at(-1);
    length += text.length + thinking.length;
    if (messages.length >= maxMessages || length > maxTotalLength) {
      losses('cut');
      break;
    }
    if (last?.role === role) {
      last.content = sanitizeText([last.content, text].filter(Boolean).join('\n\n'), losses);
      last.thinking = sanitizeText([last.thinking, thinking].filter(Boolean).join('\n\n'), losses);
      last.model ||= modelName(model);
      collectPictures(pictures, last.pictures);
      continue;
    }
    if (!last && role === 'assistant') {
      messages.push(emptyQuestion(time));
    }
    messages.push({
      role,
      content: sanitizeText(text, losses) || (pictures.length > 0 ? '…' : ''),
      thinking: sanitizeText(thinking, losses),
      model: modelName(model),
      createdAt: time,
      pictures: collectPictures(pictures, []),
    });
  }
  return messages;
}

function emptyQuestion(createdAt: string): ImportedMessage {
  return { role: 'user', content: '…', thinking: '', model: '', createdAt, pictures: [] };
}

/** Collects pictures into a message as long as they fit the limits. */
function createPictureCollector(losses: RecordLoss) {
  const remaining = { ...maxPerConversation };
  return (pictures: readonly ImportedPicture[], into: ImportedPicture[]): ImportedPicture[] => {
    for (const picture of pictures) {
      const { length } = picture.bytes;
      if (
        into.length < maxPicturesPerMessage &&
        remaining.pictures > 0 &&
        length <= remaining.bytes
      ) {
        into.push(picture);
        remaining.pictures -= 1;
        remaining.bytes -= length;
      } else {
        losses('pictures');
      }
    }
    return into;
  };
}

function sanitizeText(text: string, losses: RecordLoss): string {
  // Replaces lone surrogates and removes NUL, which databases reject.
  const clean = Buffer.from(text).toString().replaceAll('\0', '');
  if (clean.length <= maxTextLength) {
    return clean;
  }
  losses('cut');
  return clean.slice(0, maxTextLength).replace(/[\ud800-\udbff]$/, '');
}

function modelName(model: unknown): string {
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

function parseTime(value: unknown): string | undefined {
  if (typeof value !== 'number' && typeof value !== 'string') {
    return undefined;
  }
  // Numbers from 1e11 on are milliseconds.
  const date = new Date(typeof value === 'number' && value < 1e11 ? value * 1000 : value);
  const year = date.getUTCFullYear();
  return year >= firstYear && year <= lastYear ? date.toISOString() : undefined;
}

/** Maximum length of JSON that is indented; deep structures grow a lot. */
const maxIndentedLength = 1000;

/** A value as a fenced block of JSON; empty for undefined. */
export function jsonBlock(value: unknown): string {
  return block(jsonText(value), 'json');
}

/** A value as JSON; empty string for undefined. */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value) ?? '';
  return text.length > maxIndentedLength ? text : (JSON.stringify(value, null, 2) ?? '');
}

/** Fences text that is not prose, such as code or a tool's output. */
export function block(text: string, language = ''): string {
  let longestRun = 2;
  for (const [run] of text.matchAll(/`{3,}/g)) {
    longestRun = Math.max(longestRun, run.length);
  }
  const fence = '`'.repeat(longestRun + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}
