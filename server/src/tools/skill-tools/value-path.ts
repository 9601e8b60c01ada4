import { isRecord } from '@knowhow/shared/is-record';
import { parseJson } from '../../lib/parse-json.ts';

/** What a path leads to, or how far it leads. */
export type Led = { value: unknown } | { nowhere: string };

const longestPath = 500;

/** The parts of a path such as `a.b[0]['c']`; undefined for what is none. */
function partsOf(path: string): string[] | undefined {
  const parts: string[] = [];
  const part = /\.?([^.[\]'"\s]+)|\[\s*(?:'([^']*)'|"([^"]*)"|([^\]'"]+?))\s*\]/y;
  const text = path.trim();
  let at = 0;
  while (at < text.length) {
    part.lastIndex = at;
    const found = part.exec(text);
    if (!found) {
      return undefined;
    }
    parts.push(found[1] ?? found[2] ?? found[3] ?? found[4] ?? '');
    at = part.lastIndex;
  }
  return parts;
}

/**
 * Follows a path such as `a.b[0]['c']` into values, by their own names alone. A text on the way that is JSON
 * is looked into. Undefined where the first name is none of the values: then it is meant as it is written.
 */
function followPath(values: Readonly<Record<string, unknown>>, path: string): Led | undefined {
  const [first, ...others] = (path.length <= longestPath && partsOf(path)) || [];
  if (first === undefined || !Object.hasOwn(values, first)) {
    return undefined;
  }
  let value = values[first];
  let way = first;
  for (const name of others) {
    const inside = typeof value === 'string' ? parseJson(value) : value;
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

/** A path that leads nowhere, in whatever was to be filled in. */
class NowherePath extends Error {}

/**
 * A value with all that is between braces in its texts filled in. A text that is nothing but one path is the
 * value itself.
 *
 * @param pattern global, with the path as its first group
 * @throws NowherePath
 */
export function fillPaths(
  value: unknown,
  values: Readonly<Record<string, unknown>>,
  pattern: RegExp,
): unknown {
  if (typeof value === 'string') {
    return fillText(value, values, pattern);
  }
  if (Array.isArray(value)) {
    return value.map((each) => fillPaths(each, values, pattern));
  }
  return isRecord(value)
    ? Object.fromEntries(
        Object.entries(value).map(([key, each]) => [key, fillPaths(each, values, pattern)]),
      )
    : value;
}

function fillText(
  text: string,
  values: Readonly<Record<string, unknown>>,
  pattern: RegExp,
): unknown {
  const find = (whole: string, path: string): unknown => {
    const led = followPath(values, path);
    if (led && 'nowhere' in led) {
      throw new NowherePath(`${whole} leads nowhere: ${led.nowhere}.`);
    }
    return led ? led.value : whole;
  };
  const [only] = text.matchAll(pattern);
  if (only?.[0] === text) {
    return find(text, only[1] ?? '');
  }
  return text.replace(pattern, (whole, path: string) => textOf(find(whole, path)));
}
