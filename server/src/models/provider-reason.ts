import { isRecord } from '@knowhow/shared/is-record';
import { errorCode } from '../lib/error-code.ts';
import { parseJson } from '../lib/parse-json.ts';
import type { Failure } from './model-failure.ts';

/** What must not be revealed of a model. */
export interface ModelSecrets {
  key: string | undefined;
  /** The address its requests go to. */
  endpoint: string;
}

/** So much of what a provider said is looked at, and so much is shown, in characters. */
const maxSearched = 4000;
const maxReported = 400;

/**
 * What the provider itself, or the network, said of a failure: a line for administrators and the log,
 * without key and addresses. Undefined when it said nothing. Of the body of an error only the fields
 * that model servers use are shown: another server at that address keeps its words to itself.
 */
export function providerReason(failure: Failure, secrets: ModelSecrets): string | undefined {
  const said = saidOf(failure);
  return said && redact(said.slice(0, maxSearched), secrets).slice(0, maxReported);
}

function saidOf(failure: Failure): string | undefined {
  switch (failure.kind) {
    case 'unreachable':
    case 'cut':
      return errorCode(failure.error);
    case 'garbage':
      return failure.detail;
    case 'reported': {
      const { code, message } = reportIn(failure);
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

/** The JSON errors of vendors: `{error: {message, code}}`, `{error: "…"}`, `{code, msg}`, `{errors: […]}`. */
function reportIn({ headers, status, body }: Extract<Failure, { kind: 'reported' }>): Report {
  const root = parseJson(body.slice(Math.max(0, body.search(/[[{]/))));
  const first: unknown = Array.isArray(root) ? root[0] : root;
  if (!isRecord(first)) {
    // Plain words in a stream of events are the model server's; in an answer they may be anybody's.
    return headers ? { message: pageOf(headers) } : { message: body };
  }
  const { errors, base_resp: base } = first;
  const error = [
    first.error,
    Array.isArray(errors) ? errors[0] : errors,
    isRecord(base) ? { code: base.status_code, message: base.status_msg } : undefined,
    first,
  ].find(Boolean);
  if (!isRecord(error)) {
    return { message: textOf(error) };
  }
  const message = messageFields.map((field) => error[field]).find((value) => value !== undefined);
  return {
    code: codeOf([error.code, error.status, error.type], status),
    message: textOf(message),
  };
}

/** The first code that says more than the status. */
function codeOf(codes: unknown[], status: number | undefined): string | undefined {
  const texts = codes.filter((code) => typeof code === 'string');
  const numbers = codes.filter((code) => typeof code === 'number' && code !== status);
  return [...texts, ...numbers.map(String)].find((code) => code !== String(status));
}

/** A page is that of a proxy or of another server, whose words are not shown. */
function pageOf(headers: Headers): string | undefined {
  return /html/.test(headers.get('content-type') ?? '')
    ? 'an HTML page, perhaps of a proxy in front of the model server'
    : undefined;
}

function textOf(value: unknown): string | undefined {
  try {
    return value === undefined || typeof value === 'string' ? value : JSON.stringify(value);
  } catch {
    // It is nested more deeply than a stack can hold.
    return undefined;
  }
}

const anyAddress = [
  /\b\w+:\/\/\S+/g,
  /\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b/g,
  /\[[\da-f:.]*:[\da-f:.]*\](?::\d+)?/gi,
  /\b[\w-]+(?:\.[\w-]+)+:\d{2,5}\b/g,
];
/** Keys as vendors make them, and what a provider has masked of one. */
const anyKey = [
  /\bBearer\s+\S+/gi,
  /\b(?:sk|pk|rk|gsk|xai)[-_][\w*.-]+/gi,
  /\bAIza[\w*.-]+/g,
  /\S*\*{2,}\S*/g,
];

function redact(said: string, { key, endpoint }: ModelSecrets): string {
  const { host, hostname } = new URL(endpoint);
  const line = said.replace(/[\s\p{C}]+/gu, ' ').trim();
  const addresses = [...anyAddress, wordOf(host), wordOf(hostname)];
  const keys = [...anyKey, ...(key ? keyPatterns(key) : [])];
  const withoutKeys = keys.reduce((text, pattern) => text.replace(pattern, '[key]'), line);
  return addresses.reduce((text, pattern) => text.replace(pattern, '[address]'), withoutKeys);
}

/** So many characters in a row distinguish a part of a key from any other word. */
const tellingLength = 8;

/**
 * The key itself; of a long one also words that begin as it does, for a provider that shortens it, and
 * words with a part of it.
 */
function keyPatterns(key: string): RegExp[] {
  const whole = new RegExp(escaped(key), 'gi');
  if (key.length < 12) {
    return [whole];
  }
  const count = key.length - tellingLength + 1;
  const parts = Array.from({ length: count }, (_, at) => key.slice(at, at + tellingLength));
  const known = [key.slice(0, 6), ...parts].map(escaped).join('|');
  return [whole, new RegExp(`(?:${known})\\S*`, 'gi')];
}

function wordOf(name: string): RegExp {
  return new RegExp(`(?<![\\w.-])${escaped(name)}(?![\\w-])`, 'gi');
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
