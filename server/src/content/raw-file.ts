import { rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncFolder } from '../lib/durable-fs.ts';
import { errorCode } from '../lib/error-code.ts';
import { notWritable } from '../lib/not-writable.ts';
import { readRegularFile } from '../lib/read-regular-file.ts';
import { writeFileAtomic } from '../lib/write-file-atomic.ts';
import { editJson } from './edit-json.ts';
import { maxConfigBytes, parseConfig } from './parse-config.ts';
import { isRecord, type RawConfig } from './raw-config.ts';

/** A configuration file as it stands. */
export interface RawFile {
  text: string;
  /** Undefined when the text is not a JSON object. */
  config: RawConfig | undefined;
}

/**
 * Reads a file below `contents/`; undefined when there is none. One that cannot be read has no text.
 *
 * @param path relative, such as `apps/chat.json`
 */
export async function readRawFile(directory: string, path: string): Promise<RawFile | undefined> {
  let text = '';
  try {
    const bytes = await readRegularFile(join(directory, path), maxConfigBytes);
    text = bytes.toString('utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') {
      return undefined;
    }
  }
  return { text, config: objectIn(text) };
}

/** Writes what `before` has become; what need not change in its text stays as it is. */
export async function writeRawFile(
  directory: string,
  path: string,
  { before, config }: { before: string | undefined; config: RawConfig },
): Promise<void> {
  const target = join(directory, path);
  const mode = await stat(target).then(
    (found) => found.mode & 0o777,
    () => undefined,
  );
  try {
    await writeFileAtomic(target, editJson(before ?? '', config), mode);
  } catch (error) {
    throw notWritable(error, `contents/${path}`);
  }
}

export async function removeRawFile(directory: string, path: string): Promise<void> {
  try {
    await rm(join(directory, path));
    await syncFolder(dirname(join(directory, path)));
  } catch (error) {
    throw notWritable(error, `contents/${path}`);
  }
}

function objectIn(text: string): RawConfig | undefined {
  try {
    const value = parseConfig(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
