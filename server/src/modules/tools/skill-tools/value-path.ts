import { isRecord } from '@knowhow/shared/is-record';
import { parseJson } from '../../../platform/lib/parse-json.ts';

/** The value a path resolves to, or where it fails. */
export type PathResult = { value: unknown } | { nowhere: string };

const maxPathLength = 500;
/**
 * Maximum characters filled in at once: values that contain each other could grow exponentially.
 */
const maxFilledCharacters = 4_000_000;

/** Parses a path such as `a.b[0]['c']`; undefined if invalid. */
function partsOf(path: string): string[] | undefined {
  const parts: string[] = [];
  const part = /\.?([^.[\]'"\s]+)|\[(?:\s*'([^']*)'\s*|\s*"([^"]*)"\s*|([^\]'"]+))\]/y;
  const text = path.trim();
  let at = 0;
  while (at < text.length) {
    part.lastIndex = at;
    const found = part.exec(text);
    if (!found) {
      return undefined;
    }
    parts.push(found[1] ?? found[2] ?? found[3] ?? found[4]?.trim() ?? '');
    at = part.lastIndex;
  }
  return parts;
}

/**
 * Resolves a path such as `a.b[0]['c']`, using own properties only. JSON strings along the way are
 * parsed. Undefined if the first name is unknown: the placeholder is then literal text.
 */
function followPath({ values, parse }: Filling, path: string): PathResult | undefined {
  const [first, ...others] = (path.length <= maxPathLength && partsOf(path)) || [];
  if (first === undefined || !Object.hasOwn(values, first)) {
    return undefined;
  }
  let value = values[first];
  let way = first;
  for (const name of others) {
    const inside = typeof value === 'string' ? parse(value) : value;
    const isThere =
      (isRecord(inside) || Array.isArray(inside)) &&
      name !== 'length' &&
      Object.hasOwn(inside, name);
    if (!isThere) {
      return { nowhere: `there is no "${name}" in ${way}` };
    }
    value = (inside as Record<string, unknown>)[name];
    way = `${way}.${name}`;
  }
  return { value };
}

/** Text unchanged; other values as JSON. */
export function toText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** A path does not resolve, or the limit is exceeded. */
class CannotFill extends Error {}

/** Encodes a value for its position, given the preceding text. */
type Encode = (text: string, before: string) => string;

interface Filling {
  encode: Encode;
  values: Readonly<Record<string, unknown>>;
  /** Memoized JSON parsing. */
  parse(text: string): unknown;
  /** Throws if the limit is exceeded. */
  count(value: unknown): void;
}

function fillingWith(values: Filling['values'], encode: Encode): Filling {
  const parsed = new Map<string, unknown>();
  const sizes = new Map<unknown, number>();
  let remaining = maxFilledCharacters;
  return {
    values,
    encode,
    parse: (text) => {
      const value = parsed.has(text) ? parsed.get(text) : parseJson(text);
      parsed.set(text, value);
      return value;
    },
    count: (value) => {
      const size = sizes.get(value) ?? toText(value).length;
      sizes.set(value, size);
      remaining -= size;
      if (remaining < 0) {
        throw new CannotFill(
          `What is to be filled in has more than ${maxFilledCharacters} characters.`,
        );
      }
    },
  };
}

/**
 * Fills in all placeholders in a value's texts. A text that is a single placeholder becomes the
 * value itself.
 *
 * @param pattern global, with the path as its first group
 * @param encode encodes values within a text
 * @throws Error if a path does not resolve, or the limit is exceeded
 */
export function fillPaths(
  value: unknown,
  values: Readonly<Record<string, unknown>>,
  pattern: RegExp,
  encode: Encode = (text) => text,
): unknown {
  return fill(value, fillingWith(values, encode), pattern);
}

function fill(value: unknown, filling: Filling, pattern: RegExp): unknown {
  if (typeof value === 'string') {
    return fillText(value, filling, pattern);
  }
  if (Array.isArray(value)) {
    return value.map((each) => fill(each, filling, pattern));
  }
  return isRecord(value)
    ? Object.fromEntries(
        Object.entries(value).map(([key, each]) => [key, fill(each, filling, pattern)]),
      )
    : value;
}

/** The value of a path; undefined if its first name is unknown. */
type Find = (whole: string, path: string) => { value: unknown } | undefined;

function finderIn(filling: Filling): Find {
  return (whole, path) => {
    const resolved = followPath(filling, path);
    if (resolved && 'nowhere' in resolved) {
      throw new CannotFill(`${whole} leads nowhere: ${resolved.nowhere}.`);
    }
    filling.count(resolved?.value ?? '');
    return resolved;
  };
}

function fillText(text: string, filling: Filling, pattern: RegExp): unknown {
  const find = finderIn(filling);
  const [only] = text.matchAll(pattern);
  if (only?.[0] === text) {
    const found = find(text, only[1] ?? '');
    return found ? found.value : text;
  }
  const template = /^\s*\{\s*"/.test(text) ? readJsonTemplate(text, pattern) : undefined;
  return template
    ? fillTemplate(template, find)
    : text.replace(pattern, (whole, path: string, at: number) => {
        const found = find(whole, path);
        return found ? filling.encode(toText(found.value), text.slice(0, at)) : whole;
      });
}

/** A JSON text with placeholders. In quotes, they take text, otherwise any JSON value. */
interface JsonTemplate {
  placeholders: { before: string; whole: string; path: string; isQuoted: boolean }[];
  end: string;
}

/**
 * Fills in the placeholders of a JSON text without letting values change its structure: quotes and
 * line breaks are escaped. Undefined if the text is not JSON or a single placeholder.
 *
 * @param pattern global, with the path as its first group
 * @throws Error like `fillPaths`
 */
export function fillJson(
  text: string,
  values: Readonly<Record<string, unknown>>,
  pattern: RegExp,
): string | undefined {
  const template = readJsonTemplate(text, pattern);
  return template && fillTemplate(template, finderIn(fillingWith(values, (each) => each)));
}

function readJsonTemplate(text: string, pattern: RegExp): JsonTemplate | undefined {
  const placeholders: JsonTemplate['placeholders'] = [];
  let at = 0;
  let isQuoted = false;
  for (const { 0: whole, 1: path = '', index } of text.matchAll(pattern)) {
    const before = text.slice(at, index);
    isQuoted = endsQuoted(before, isQuoted);
    placeholders.push({ before, whole, path, isQuoted });
    at = index + whole.length;
  }
  const end = text.slice(at);
  const shape =
    placeholders
      .map((placeholder) => placeholder.before + (placeholder.isQuoted ? '' : '0'))
      .join('') + end;
  const isSinglePlaceholder = placeholders.length === 1 && shape.trim() === '0';
  return !isSinglePlaceholder && parseJson(shape) !== undefined ? { placeholders, end } : undefined;
}

/** Whether a part of a JSON text ends inside a string. */
function endsQuoted(part: string, wasQuoted: boolean): boolean {
  const quotes = part.replace(/\\./gs, '').split('"').length - 1;
  return wasQuoted !== (quotes % 2 === 1);
}

function fillTemplate({ placeholders, end }: JsonTemplate, find: Find): string {
  const parts = placeholders.map(({ before, whole, path, isQuoted }) => {
    const found = find(whole, path);
    if (!found) {
      return before + whole;
    }
    const { value } = found;
    return before + (isQuoted ? JSON.stringify(toText(value)).slice(1, -1) : jsonOf(value));
  });
  return parts.join('') + end;
}

/** A value as JSON. A text that is valid JSON, such as a number, is used as is. */
function jsonOf(value: unknown): string {
  const parsed = typeof value === 'string' ? parseJson(value) : undefined;
  return JSON.stringify(parsed ?? value) ?? 'null';
}
