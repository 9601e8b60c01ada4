import { isRecord } from '@knowhow/shared/is-record';
import { JsonLimitExceeded, parseBoundedJson } from '../../platform/lib/json-meter.ts';
import type { ToolCallIssue } from './model.ts';

/** Limits for raw arguments, where one character may take six as an escape. They bound the parsing effort. */
const textLimits = {
  maxBytes: 1_000_000,
  maxDepth: 64,
  maxValues: 50_000,
  maxKeys: 10_000,
  maxStringBytes: 1_000_000,
};
/** Maximum size: characters of all keys and texts, plus the number of values. Matches the longest message. */
const maxSize = 100_000;

/** Parses a call's arguments; returns the text if it is not acceptable JSON. */
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

/** Explains to the model why a call with these arguments is rejected; undefined if they are valid. */
export function validateToolInput(input: unknown, isCut = false): ToolCallIssue | undefined {
  if (isCut) {
    return invalidArguments(
      'were cut off: the answer reached its limit of length before the call was complete',
    );
  }
  if (typeof input === 'string') {
    return validateText(input);
  }
  if (!isRecord(input)) {
    return invalidArguments('are not an object');
  }
  const size = measure(input);
  if (size === undefined) {
    return invalidArguments(`are more than ${textLimits.maxDepth} levels deep`);
  }
  return size > maxSize ? tooLong() : undefined;
}

/** The arguments as an object, which every vendor requires, regardless of what the model wrote. */
export function toolInputObject(input: unknown): Record<string, unknown> {
  return isRecord(input) ? { ...input } : { input };
}

function validateText(text: string): ToolCallIssue {
  if (text.length > maxSize) {
    return tooLong();
  }
  try {
    parseBoundedJson(text, textLimits);
    return invalidArguments(
      hasDuplicateKeys(text) ? 'have a key twice in one object' : 'are not an object',
    );
  } catch (error) {
    return error instanceof JsonLimitExceeded
      ? invalidArguments(`have more than ${error.message}`)
      : invalidArguments('are not valid JSON, or end too early');
  }
}

function tooLong(): ToolCallIssue {
  return {
    summary: 'arguments too long',
    message: `The tool was not called: its arguments have more than ${maxSize} characters, which is the limit. Call it with shorter arguments, in several calls if need be.`,
  };
}

function invalidArguments(what: string): ToolCallIssue {
  return {
    summary: 'wrong arguments',
    message: `The tool was not called: its arguments ${what}. Call it again with one complete JSON object.`,
  };
}

/** Characters plus number of values; undefined if nested too deeply to serialize without a stack overflow. */
function measure(input: unknown): number | undefined {
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

/** @param text valid JSON; parsers would keep the last of two members with the same key */
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
