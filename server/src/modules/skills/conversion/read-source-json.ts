import { isRecord } from '@knowhow/shared/is-record';
import type { PackedFile } from '@knowhow/skill-format';
import { getErrorMessage } from '../../../platform/lib/get-error-message.ts';

/** Maximum size of a manifest or flow in bytes: its content becomes schemas and model prompts. */
export const maxSourceJsonBytes = 256 * 1024;

/** A parsed JSON object, or why it is invalid. */
export type SourceJson = { value: Record<string, unknown> } | { reason: string };

/** Parses a JSON file strictly: errors are reported, never repaired. */
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

/** The parser's message, with a line number instead of a position. */
function reasonOf(error: unknown, text: string): string {
  const message = getErrorMessage(error);
  const said = message.replace(/^JSON\.parse: /, '').replace(/, "[\s\S]*/, '');
  const position = /position (\d+)/.exec(message)?.[1];
  if (position === undefined || /\(line /.test(said)) {
    return `${said}.`;
  }
  const line = text.slice(0, Number(position)).split('\n').length;
  return `${said} (line ${line}).`;
}

/** A text field of a manifest; undefined if it is not a text. */
export function textIn(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text.trim() !== '' ? text.trim() : undefined;
}

/** The texts of a list, or comma-separated words. */
export function textsIn(value: unknown): string[] {
  const list = typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value : [];
  return list.flatMap((each) => textIn(each) ?? []);
}
