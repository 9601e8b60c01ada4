import { isRecord } from '@knowhow/shared/is-record';
import { messageOf } from '../lib/message-of.ts';
import type { PackedFile } from '../skill-format/skill-format.ts';

/** A manifest or a flow is not larger, in bytes: what it holds becomes schemas and texts for a model. */
export const mostJsonBytes = 256 * 1024;

/** What a file of JSON says, or why it says nothing. */
export type SourceJson = { value: Record<string, unknown> } | { reason: string };

/** Reads a file of JSON as it is: what is broken in it is said and never repaired. */
export function readSourceJson({ bytes }: PackedFile): SourceJson {
  const text = Buffer.from(bytes)
    .toString('utf8')
    .replace(/^\uFEFF/, '');
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? { value } : { reason: 'it is not an object.' };
  } catch (error) {
    return { reason: reasonOf(error, text) };
  }
}

/** In the parser's words, with the line where it says only the position. */
function reasonOf(error: unknown, text: string): string {
  const message = messageOf(error);
  const said = message.replace(/^JSON\.parse: /, '').replace(/, "[\s\S]*/, '');
  const position = /position (\d+)/.exec(message)?.[1];
  if (position === undefined || /\(line /.test(said)) {
    return `${said}.`;
  }
  const line = text.slice(0, Number(position)).split('\n').length;
  return `${said} (line ${line}).`;
}

/** A text of a manifest; what is no text is none. */
export function textIn(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text.trim() !== '' ? text.trim() : undefined;
}

/** The texts of a list, or of words between commas. */
export function textsIn(value: unknown): string[] {
  const list = typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value : [];
  return list.flatMap((each) => textIn(each) ?? []);
}
