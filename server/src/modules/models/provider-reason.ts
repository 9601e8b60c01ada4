import { isRecord } from '@knowhow/shared/is-record';
import { errorCode } from '../../platform/lib/error-code.ts';
import { parseJson } from '../../platform/lib/parse-json.ts';
import type { Failure } from './model-failure.ts';

/** Secrets of a model that must not be disclosed. */
export interface ModelSecrets {
  key: string | undefined;
  /** The URL of its requests. */
  endpoint: string;
}

/** Maximum characters of a provider's message that are searched, and that are shown. */
const maxSearched = 4000;
const maxReported = 400;

/**
 * The provider's or network's message about a failure, as a line for administrators and the log. Keys and addresses
 * are redacted. Undefined if there is none. Only the error fields of known model servers are shown, so that another
 * server at that address discloses nothing.
 */
export function providerReason(failure: Failure, secrets: ModelSecrets): string | undefined {
  const message = getMessage(failure);
  return message && redact(message.slice(0, maxSearched), secrets).slice(0, maxReported);
}

function getMessage(failure: Failure): string | undefined {
  switch (failure.kind) {
    case 'unreachable':
    case 'cut':
      return errorCode(failure.error);
    case 'garbage':
      return failure.detail;
    case 'reported': {
      const { code, message } = parseReport(failure);
      const head = [failure.status, code].filter((part) => part !== undefined).join(' ');
      return [head, message].filter(Boolean).join(': ');
    }
    default:
      return undefined;
  }
}

interface Report {
  code?: string | undefined;
  message?: string | undefined;
}

const messageFields = ['message', 'msg', 'detail', 'error_msg', 'error_message', 'errorMsg'];

/** Parses the JSON errors of vendors: `{error: {message, code}}`, `{error: "…"}`, `{code, msg}`, `{errors: […]}`. */
function parseReport({ headers, status, body }: Extract<Failure, { kind: 'reported' }>): Report {
  const root = parseJson(body.slice(Math.max(0, body.search(/[[{]/))));
  const first: unknown = Array.isArray(root) ? root[0] : root;
  if (!isRecord(first)) {
    // Plain text in an event stream comes from the model server; in a response it may come from any server.
    return headers ? { message: describePage(headers) } : { message: body };
  }
  const { errors, base_resp: base } = first;
  const error = [
    first.error,
    Array.isArray(errors) ? errors[0] : errors,
    isRecord(base) ? { code: base.status_code, message: base.status_msg } : undefined,
    first,
  ].find(Boolean);
  if (!isRecord(error)) {
    return { message: toText(error) };
  }
  const message = messageFields.map((field) => error[field]).find((value) => value !== undefined);
  return {
    code: findCode([error.code, error.status, error.type], status),
    message: toText(message),
  };
}

/** The first code that is not just the status. */
function findCode(codes: unknown[], status: number | undefined): string | undefined {
  const texts = codes.filter((code) => typeof code === 'string');
  const numbers = codes.filter((code) => typeof code === 'number' && code !== status);
  return [...texts, ...numbers.map(String)].find((code) => code !== String(status));
}

/** An HTML page comes from a proxy or another server, so its content is not shown. */
function describePage(headers: Headers): string | undefined {
  return /html/.test(headers.get('content-type') ?? '')
    ? 'an HTML page, perhaps of a proxy in front of the model server'
    : undefined;
}

function toText(value: unknown): string | undefined {
  try {
    return value === undefined || typeof value === 'string' ? value : JSON.stringify(value);
  } catch {
    // Nested too deeply for the stack.
    return undefined;
  }
}

const addressPatterns = [
  /\b\w+:\/\/\S+/g,
  /\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b/g,
  /\[[\da-f:.]*:[\da-f:.]*\](?::\d+)?/gi,
  /\b[\w-]+(?:\.[\w-]+)+:\d{2,5}\b/g,
];
/** Keys in vendors' formats, and masked keys. */
const keyLikePatterns = [
  /\bBearer\s+\S+/gi,
  /\b(?:sk|pk|rk|gsk|xai)[-_][\w*.-]+/gi,
  /\bAIza[\w*.-]+/g,
  /\S*\*{2,}\S*/g,
];

function redact(message: string, { key, endpoint }: ModelSecrets): string {
  const { host, hostname } = new URL(endpoint);
  const line = message.replace(/[\s\p{C}]+/gu, ' ').trim();
  const addresses = [...addressPatterns, wordPattern(host), wordPattern(hostname)];
  const keys = [...keyLikePatterns, ...(key ? keyPatterns(key) : [])];
  const withoutKeys = keys.reduce((text, pattern) => text.replace(pattern, '[key]'), line);
  return addresses.reduce((text, pattern) => text.replace(pattern, '[address]'), withoutKeys);
}

/** Number of consecutive characters that identify a part of a key. */
const partLength = 8;

/**
 * Patterns for a key. For a long key, they also match words with its prefix, because providers may truncate it, and
 * words with a part of it.
 */
function keyPatterns(key: string): RegExp[] {
  const whole = new RegExp(escapeRegExp(key), 'gi');
  if (key.length < 12) {
    return [whole];
  }
  const count = key.length - partLength + 1;
  const parts = Array.from({ length: count }, (_, at) => key.slice(at, at + partLength));
  const known = [key.slice(0, 6), ...parts].map(escapeRegExp).join('|');
  return [whole, new RegExp(`(?:${known})\\S*`, 'gi')];
}

function wordPattern(name: string): RegExp {
  return new RegExp(`(?<![\\w.-])${escapeRegExp(name)}(?![\\w-])`, 'gi');
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
