import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { UnpackedFile } from '../archives/unpack-members.ts';
import type { AllowVariables } from '../content/allowed-variables.ts';
import { openContentStore } from '../content/content-store.ts';
import type { Contents } from '../content/contents.ts';
import { parseConfig } from '../content/parse-config.ts';
import { backupLimits } from './backup-limits.ts';
import { isConfigurationFile } from './backup-paths.ts';
import type { BackupSource } from './backup-source.ts';
import { choiceOf } from './choose-entries.ts';

/** What is wrong with a file, as a plan says it. */
export interface FileFault {
  path: string;
  code: string;
  message: string;
}

/**
 * Reads the configuration in a backup just as the server reads its own, so that both come to the same
 * verdict. Files that iHub can use and Knowhow cannot are taken out of the backup.
 */
export async function readConfiguration(
  source: BackupSource,
  allow: AllowVariables,
): Promise<{ contents: Contents; faults: FileFault[] }> {
  const faults: FileFault[] = [];
  for (const file of [...source.files.values()].filter(({ path }) => isConfigurationFile(path))) {
    const fault = await faultOfFile(file);
    if (fault) {
      faults.push({ path: file.path, ...fault });
      await takeOut(source, file.path);
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
    await takeOut(source, path);
  }
  source.names = source.names.filter((name) => isStillThere(name, source));
  return { contents: current, faults: [] };
}

function isStillThere(name: string, { files }: BackupSource): boolean {
  return name === 'data' || [...files.keys()].some(choiceOf([name]).covers);
}

async function takeOut(source: BackupSource, path: string): Promise<void> {
  if (source.files.delete(path)) {
    // A former state may have a link there, and what that leads to is not its own.
    await rm(join(source.directory, path));
  }
}

async function faultOfFile({
  diskPath,
  size,
}: UnpackedFile): Promise<Omit<FileFault, 'path'> | undefined> {
  if (size > backupLimits.configBytes) {
    const message = `A file of the configuration has at most ${backupLimits.configBytes} bytes.`;
    return { code: 'file-too-large', message };
  }
  if (depthOf(await readFile(diskPath, 'utf8')) > backupLimits.configDepth) {
    return { code: 'too-deep', message: `More than ${backupLimits.configDepth} levels deep.` };
  }
  return undefined;
}

/** How many objects and lists a JSON text has within each other. What is not JSON is reported elsewhere. */
function depthOf(text: string): number {
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

/** Names the values in a file of iHub that it has encrypted: nobody else can read them. */
async function encryptedFields({ path, diskPath }: UnpackedFile): Promise<string[]> {
  const fields = [...encryptedIn(parsed(await readFile(diskPath, 'utf8')), '')];
  return fields.map(
    (field) =>
      `${path}: "${field}" is encrypted by iHub and cannot be read here. Set it again; a key belongs into the environment.`,
  );
}

function parsed(text: string): unknown {
  try {
    return parseConfig(text);
  } catch {
    return undefined;
  }
}

function* encryptedIn(value: unknown, path: string): Generator<string> {
  if (typeof value === 'string') {
    if (value.startsWith('ENC[')) {
      yield path;
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, part] of Object.entries(value)) {
      yield* encryptedIn(part, path === '' ? key : `${path}.${key}`);
    }
  }
}
