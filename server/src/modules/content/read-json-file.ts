import { parseWith } from '@knowhow/shared/describe-issue';
import type { z } from 'zod';
import {
  FileTooLarge,
  NotAFileError,
  readRegularFile,
} from '../../platform/lib/read-regular-file.ts';
import type { ReadableVariables } from './allowed-variables.ts';
import { fillPlaceholders, refusedPlaceholders } from './fill-placeholders.ts';
import { maxConfigBytes, parseConfig, tooDeep } from './parse-config.ts';

export type JsonFile<Value> =
  /** `refused`: variables that its placeholders must not read, with the field of each. */
  | { state: 'good'; value: Value; refused: ReadonlyMap<string, string> }
  | { state: 'missing' }
  | { state: 'broken'; field?: string; message: string };

/**
 * Reads a configuration file: JSON with `${NAME:-default}` placeholders, validated by `schema`. A broken file is
 * described by its first invalid field; nothing is thrown.
 */
export async function readJsonFile<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
  variables: ReadableVariables,
): Promise<JsonFile<z.output<Schema>>> {
  let raw: unknown;
  try {
    raw = parseConfig((await readRegularFile(path, maxConfigBytes)).toString('utf8'));
  } catch (error) {
    return isMissing(error)
      ? { state: 'missing' }
      : { state: 'broken', message: describeError(error) };
  }
  const result = parseWith(schema, fillPlaceholders(raw, variables));
  if (result.success) {
    return { state: 'good', value: result.data, refused: refusedPlaceholders(raw, variables) };
  }
  const issue = result.error.issues[0];
  return {
    state: 'broken',
    ...(issue && issue.path.length > 0 ? { field: issue.path.join('.') } : {}),
    message: issue?.message ?? 'Not of the expected shape.',
  };
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

function describeError(error: unknown): string {
  if (error instanceof SyntaxError) {
    return error.message === tooDeep ? tooDeep : `Not valid JSON: ${error.message}`;
  }
  if (error instanceof NotAFileError) {
    return 'Cannot be read: it is not a file.';
  }
  if (error instanceof FileTooLarge) {
    return `A file of the configuration has at most ${maxConfigBytes} bytes.`;
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
  return `Cannot be read (${code}).`;
}
