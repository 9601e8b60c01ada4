import { join } from 'node:path';
import { isRecord } from '@knowhow/shared/is-record';
import { problem } from '@knowhow/shared/problem';
import { errorCode } from '../../platform/lib/error-code.ts';
import { readRegularFile } from '../../platform/lib/read-regular-file.ts';
import { editJson } from './edit-json.ts';
import { listJsonFiles } from './list-json-files.ts';
import { maxConfigBytes, parseConfig } from './parse-config.ts';
import type { RawConfig } from './raw-config.ts';

/** A configuration file as stored. */
export interface RawFile {
  text: string;
  /** Undefined if the text is not a JSON object. */
  config: RawConfig | undefined;
}

/** The change of a file; its path is relative to `contents/`. */
export interface FileChange {
  path: string;
  /** Undefined if the file is deleted. */
  text: string | undefined;
}

/** Files in `contents/` within a transaction; changes are buffered and not yet on disk. */
export interface StagedFiles {
  /** Undefined if the file is missing. An unreadable file has an empty text. */
  read(path: string): Promise<RawFile | undefined>;
  /** Names of the configuration files in a folder, sorted. */
  names(folder: string): Promise<string[]>;
  /**
   * Buffers the new content; unchanged parts of the text keep their formatting. Throws `too-large` if it could not be
   * read again.
   */
  write(path: string, change: { before: string | undefined; config: RawConfig }): void;
  remove(path: string): void;
  /** In the order in which they were made. */
  changes(): FileChange[];
}

export function stageFiles(directory: string): StagedFiles {
  const staged = new Map<string, string | undefined>();
  return {
    read: async (path) => {
      const text = staged.has(path) ? staged.get(path) : await readText(directory, path);
      return text === undefined ? undefined : { text, config: parseObject(text) };
    },
    names: async (folder) => {
      const names = new Set(await listJsonFiles(join(directory, folder)));
      for (const [path, text] of staged) {
        const name = path.slice(folder.length + 1);
        if (path === `${folder}/${name}`) {
          names[text === undefined ? 'delete' : 'add'](name);
        }
      }
      return [...names].sort();
    },
    write: (path, { before, config }) => {
      const text = editJson(before ?? '', config);
      if (Buffer.byteLength(text) > maxConfigBytes) {
        throw problem(
          'too-large',
          `contents/${path} would have more than ${maxConfigBytes} bytes, which cannot be read again. Remove something from it first.`,
        );
      }
      staged.set(path, text);
    },
    remove: (path) => {
      staged.set(path, undefined);
    },
    changes: () => [...staged].map(([path, text]) => ({ path, text })),
  };
}

async function readText(directory: string, path: string): Promise<string | undefined> {
  try {
    const bytes = await readRegularFile(join(directory, path), maxConfigBytes);
    return bytes.toString('utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    return errorCode(error) === 'ENOENT' ? undefined : '';
  }
}

function parseObject(text: string): RawConfig | undefined {
  try {
    const value = parseConfig(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
