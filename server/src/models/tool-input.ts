import { isRecord } from '@knowhow/shared/is-record';
import { JsonLimitExceeded, parseBoundedJson } from '../lib/json-meter.ts';
import type { ToolCallFault } from './model.ts';

/** Limits of written arguments, in which a character may be an escape of six. They bound the work of reading. */
const textLimits = {
  maxBytes: 1_000_000,
  maxDepth: 64,
  maxValues: 50_000,
  maxKeys: 10_000,
  maxStringBytes: 1_000_000,
};
/** Characters of all keys and texts, and values: as long as the longest message. */
const maxSize = 100_000;

/** The arguments of a call as the model wrote them; the text itself where it is no JSON that is taken. */
export function parseToolInput(text: string): unknown {
  if (text.trim() === '') {
    return {};
  }
  try {
    const value = parseBoundedJson(text, textLimits);
    return hasDuplicateKeys(text) ? text : value;
  } catch {
    return text;
  }
}

/** Why a call cannot be run with these arguments, for the model; undefined when it can. */
export function faultOfInput(input: unknown, isCut = false): ToolCallFault | undefined {
  if (isCut) {
    return wrong(
      'were cut off: the answer reached its limit of length before the call was complete',
    );
  }
  if (typeof input === 'string') {
    return faultOfText(input);
  }
  if (!isRecord(input)) {
    return wrong('are not an object');
  }
  const size = sizeOf(input);
  if (size === undefined) {
    return wrong(`are more than ${textLimits.maxDepth} levels deep`);
  }
  return size > maxSize ? tooLong() : undefined;
}

/** The arguments as every vendor takes them back: an object, whatever the model had written. */
export function toolInputObject(input: unknown): Record<string, unknown> {
  return isRecord(input) ? { ...input } : { input };
}

function faultOfText(text: string): ToolCallFault {
  if (text.length > maxSize) {
    return tooLong();
  }
  try {
    parseBoundedJson(text, textLimits);
    return wrong(hasDuplicateKeys(text) ? 'have a key twice in one object' : 'are not an object');
  } catch (error) {
    return error instanceof JsonLimitExceeded
      ? wrong(`have more than ${error.message}`)
      : wrong('are not valid JSON, or end too early');
  }
}

function tooLong(): ToolCallFault {
  return {
    summary: 'arguments too long',
    message: `The tool was not called: its arguments have more than ${maxSize} characters, which is the limit. Call it with shorter arguments, in several calls if need be.`,
  };
}

function wrong(what: string): ToolCallFault {
  return {
    summary: 'wrong arguments',
    message: `The tool was not called: its arguments ${what}. Call it again with one complete JSON object.`,
  };
}

/** Characters and values; undefined where it is too deep, which would overflow the stack as JSON. */
function sizeOf(input: unknown): number | undefined {
  let size = 0;
  const fits = (value: unknown, depth: number): boolean => {
    size += typeof value === 'string' ? value.length : 1;
    if (size > maxSize || typeof value !== 'object' || value === null) {
      return true;
    }
    return (
      depth > 0 &&
      Object.entries(value).every(([key, each]) => {
        size += key.length;
        return fits(each, depth - 1);
      })
    );
  };
  return fits(input, textLimits.maxDepth) ? size : undefined;
}

/** @param text valid JSON, of which parsers keep the last of two members with the same key */
function hasDuplicateKeys(text: string): boolean {
  const open: (Set<string> | undefined)[] = [];
  let last = '';
  for (const [token] of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]:]/gs)) {
    if (token === '{' || token === '[') {
      open.push(token === '{' ? new Set() : undefined);
    } else if (token === '}' || token === ']') {
      open.pop();
    } else if (token !== ':') {
      last = token;
    } else {
      const key: string = JSON.parse(last);
      const keys = open.at(-1);
      if (keys?.has(key)) {
        return true;
      }
      keys?.add(key);
    }
  }
  return false;
}
