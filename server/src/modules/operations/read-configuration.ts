import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type AllowVariables,
  type Contents,
  openContentStore,
  parseConfig,
} from '../content/index.ts';
import type { UnpackedFile } from '../skills/index.ts';
import { backupLimits } from './backup-limits.ts';
import { isConfigurationFile } from './backup-paths.ts';
import type { BackupSource } from './backup-source.ts';
import { createChoice } from './choose-entries.ts';

/** An issue with a file, as reported in a plan. */
export interface FileFault {
  path: string;
  code: string;
  message: string;
}

/**
 * Reads the configuration in a backup exactly as the server reads its own, so that both find the same issues. Files
 * that only iHub can use are removed from the backup.
 */
export async function readConfiguration(
  source: BackupSource,
  allow: AllowVariables,
): Promise<{ contents: Contents; faults: FileFault[] }> {
  const faults: FileFault[] = [];
  for (const file of [...source.files.values()].filter(({ path }) => isConfigurationFile(path))) {
    const fault = await findFileIssue(file);
    if (fault) {
      faults.push({ path: file.path, ...fault });
      await removeFile(source, file.path);
    } else if (source.format === 'ihub') {
      source.warnings.push(...(await encryptedFields(file)));
    }
  }
  const { current } = await openContentStore(join(source.directory, 'contents'), allow);
  for (const { path, field, message } of current.faults) {
    const text = field === undefined ? message : `${field}: ${message}`;
    faults.push({ path, code: 'configuration', message: text });
  }
  if (source.format === 'knowhow') {
    return { contents: current, faults };
  }
  for (const { path, message } of faults) {
    source.notUsed.push({ path, message: `Knowhow cannot use it. ${message}` });
    await removeFile(source, path);
  }
  source.names = source.names.filter((name) => hasFiles(name, source));
  return { contents: current, faults: [] };
}

function hasFiles(name: string, { files }: BackupSource): boolean {
  return name === 'data' || [...files.keys()].some(createChoice([name]).covers);
}

async function removeFile(source: BackupSource, path: string): Promise<void> {
  if (source.files.delete(path)) {
    // In a snapshot this may be a link; its target must not be removed.
    await rm(join(source.directory, path));
  }
}

async function findFileIssue({
  diskPath,
  size,
}: UnpackedFile): Promise<Omit<FileFault, 'path'> | undefined> {
  if (size > backupLimits.configBytes) {
    const message = `A file of the configuration has at most ${backupLimits.configBytes} bytes.`;
    return { code: 'file-too-large', message };
  }
  if (measureDepth(await readFile(diskPath, 'utf8')) > backupLimits.configDepth) {
    return { code: 'too-deep', message: `More than ${backupLimits.configDepth} levels deep.` };
  }
  return undefined;
}

/** Maximum nesting of a JSON text. Invalid JSON is reported elsewhere. */
function measureDepth(text: string): number {
  let depth = 0;
  let deepest = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') {
      isInString = !isInString;
    } else if (isInString) {
      at += character === '\\' ? 1 : 0;
    } else if (character === '[' || character === '{') {
      depth += 1;
      deepest = Math.max(deepest, depth);
    } else if (character === ']' || character === '}') {
      depth -= 1;
    }
  }
  return deepest;
}

/** Warns about values that iHub has encrypted, because only iHub can decrypt them. */
async function encryptedFields({ path, diskPath }: UnpackedFile): Promise<string[]> {
  const fields = [...findEncrypted(tryParse(await readFile(diskPath, 'utf8')), '')];
  return fields.map(
    (field) =>
      `${path}: "${field}" is encrypted by iHub and cannot be read here. Set it again; a key belongs into the environment.`,
  );
}

function tryParse(text: string): unknown {
  try {
    return parseConfig(text);
  } catch {
    return undefined;
  }
}

function* findEncrypted(value: unknown, path: string): Generator<string> {
  if (typeof value === 'string') {
    if (value.startsWith('ENC[')) {
      yield path;
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, part] of Object.entries(value)) {
      yield* findEncrypted(part, path === '' ? key : `${path}.${key}`);
    }
  }
}
