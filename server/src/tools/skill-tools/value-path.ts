import { isRecord } from '@knowhow/shared/is-record';
import { parseJson } from '../../lib/parse-json.ts';

/** What a path leads to, or how far it leads. */
export type Led = { value: unknown } | { nowhere: string };

const longestPath = 500;
/** Characters that are filled in at once: texts that are made of each other would grow without an end. */
const mostFilled = 4_000_000;

/** The parts of a path such as `a.b[0]['c']`; undefined for what is none. */
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
 * Follows a path such as `a.b[0]['c']` into values, by their own names alone. A text on the way that is JSON
 * is looked into. Undefined where the first name is none of the values: then it is meant as it is written.
 */
function followPath({ values, parse }: Filling, path: string): Led | undefined {
  const [first, ...others] = (path.length <= longestPath && partsOf(path)) || [];
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

/** A value as a text: what is no text is JSON. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** A path that leads nowhere, in whatever was to be filled in, or one too many. */
class CannotFill extends Error {}

/** How a value is written into a text, with what is before it there. */
type Encode = (text: string, before: string) => string;

interface Filling {
  encode: Encode;
  values: Readonly<Record<string, unknown>>;
  /** Reads each text once, however many paths go through it. */
  parse(text: string): unknown;
  /** Throws where there is no room left for a value. */
  count(value: unknown): void;
}

function fillingWith(values: Filling['values'], encode: Encode): Filling {
  const parsed = new Map<string, unknown>();
  const sizes = new Map<unknown, number>();
  let left = mostFilled;
  return {
    ...{ values, encode },
    parse: (text) => {
      const value = parsed.has(text) ? parsed.get(text) : parseJson(text);
      parsed.set(text, value);
      return value;
    },
    count: (value) => {
      const size = sizes.get(value) ?? textOf(value).length;
      sizes.set(value, size);
      left -= size;
      if (left < 0) {
        throw new CannotFill(`What is to be filled in has more than ${mostFilled} characters.`);
      }
    },
  };
}

/**
 * A value with all that is between braces in its texts filled in. A text that is nothing but one path is the
 * value itself.
 *
 * @param pattern global, with the path as its first group
 * @param encode writes a value that is a part of a text
 * @throws Error where a path leads nowhere, or more is to be filled in than there is room for
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
    const led = followPath(filling, path);
    if (led && 'nowhere' in led) {
      throw new CannotFill(`${whole} leads nowhere: ${led.nowhere}.`);
    }
    filling.count(led?.value ?? '');
    return led;
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
        return found ? filling.encode(textOf(found.value), text.slice(0, at)) : whole;
      });
}

/** A JSON text with gaps. A gap in quotes takes a text, any other takes a whole JSON value. */
interface JsonTemplate {
  gaps: { before: string; whole: string; path: string; isQuoted: boolean }[];
  end: string;
}

/**
 * Fills the gaps of a JSON text so that no value changes its structure: quotes and line breaks of a value are
 * escaped. Undefined for a text that is no JSON, or that is nothing but one gap.
 *
 * @param pattern global, with the path as its first group
 * @throws Error as `fillPaths` does
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
  const gaps: JsonTemplate['gaps'] = [];
  let at = 0;
  let isQuoted = false;
  for (const { 0: whole, 1: path = '', index } of text.matchAll(pattern)) {
    const before = text.slice(at, index);
    isQuoted = endsQuoted(before, isQuoted);
    gaps.push({ before, whole, path, isQuoted });
    at = index + whole.length;
  }
  const end = text.slice(at);
  const shape = gaps.map((gap) => gap.before + (gap.isQuoted ? '' : '0')).join('') + end;
  const isGap = gaps.length === 1 && shape.trim() === '0';
  return !isGap && parseJson(shape) !== undefined ? { gaps, end } : undefined;
}

/** Whether a part of a JSON text ends inside of quotes. */
function endsQuoted(part: string, wasQuoted: boolean): boolean {
  const quotes = part.replace(/\\./gs, '').split('"').length - 1;
  return wasQuoted !== (quotes % 2 === 1);
}

function fillTemplate({ gaps, end }: JsonTemplate, find: Find): string {
  const parts = gaps.map(({ before, whole, path, isQuoted }) => {
    const found = find(whole, path);
    if (!found) {
      return before + whole;
    }
    const { value } = found;
    return before + (isQuoted ? JSON.stringify(textOf(value)).slice(1, -1) : jsonOf(value));
  });
  return parts.join('') + end;
}

/** A value as JSON. A text that is JSON itself, such as a number, is taken as it is. */
function jsonOf(value: unknown): string {
  const parsed = typeof value === 'string' ? parseJson(value) : undefined;
  return JSON.stringify(parsed ?? value) ?? 'null';
}
