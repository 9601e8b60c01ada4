import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { UnpackedFile } from '../archives/unpack-members.ts';
import { fillFields, withholdSecrets } from '../content/secret-fields.ts';
import { writeFileAtomic } from '../lib/write-file-atomic.ts';
import type { BackupSource } from './backup-source.ts';
import type { TreeFile } from './list-tree.ts';
import type { Withheld } from './manifest.ts';

/**
 * What of a configuration file goes into a backup: its bytes with the secrets in it emptied, and which
 * they are. Where that is unknown, why.
 */
export function withoutSecrets(bytes: Buffer): { bytes: Buffer; fields: string[] } | Undisclosed {
  const encoding = encodingOf(bytes);
  try {
    const { text, fields } = withholdSecrets(bytes.toString(encoding));
    return { bytes: fields.length === 0 ? bytes : Buffer.from(text, encoding), fields };
  } catch (error) {
    const isBroken = error instanceof SyntaxError;
    return { fault: isBroken ? error.message : 'It is nested too deeply to look for keys in it.' };
  }
}

interface Undisclosed {
  /** A sentence. */
  fault: string;
}

interface Emptied {
  path: string;
  /** What to do about it. */
  message: string;
}

/**
 * Puts the secrets that a backup was made without back into its unpacked files, from those that are
 * there now. Answers what has no value here, and is empty after a restore.
 */
export async function fillWithheld(
  source: BackupSource,
  now: ReadonlyMap<string, TreeFile>,
): Promise<Emptied[]> {
  const emptied: Emptied[] = [];
  for (const withheld of source.withheld) {
    const wanted = source.files.get(withheld.path);
    const current = now.get(withheld.path);
    if (wanted) {
      const { missing } = await fillFile(source, withheld, { wanted, current });
      emptied.push(...missing.map((field) => emptyField(withheld.path, field)));
    }
  }
  return emptied;
}

async function fillFile(
  source: BackupSource,
  { path, fields }: Withheld,
  { wanted, current }: { wanted: UnpackedFile; current: TreeFile | undefined },
): Promise<{ missing: string[] }> {
  const before = await readFile(wanted.diskPath);
  const here = current ? await readFile(current.diskPath) : Buffer.alloc(0);
  const safe = withoutSecrets(here);
  const isSame = 'bytes' in safe && safe.bytes.equals(before);
  const { bytes, missing } = isSame
    ? { bytes: here, missing: [] }
    : filledFrom(before, fields, here);
  if (!bytes.equals(before)) {
    await writeFileAtomic(join(source.directory, path), bytes, wanted.executable ? 0o755 : 0o644);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    source.files.set(path, { ...wanted, size: bytes.length, sha256 });
  }
  return { missing };
}

function filledFrom(
  bytes: Buffer,
  fields: readonly string[],
  here: Buffer,
): { bytes: Buffer; missing: string[] } {
  const encoding = encodingOf(bytes, here);
  try {
    const { text, missing } = fillFields(bytes.toString(encoding), fields, here.toString(encoding));
    return { bytes: Buffer.from(text, encoding), missing };
  } catch {
    return { bytes, missing: [...fields] };
  }
}

function emptyField(path: string, field: string): Emptied {
  const message = `${path}: "${field}" was withheld from the backup and will be empty. Set it again; a key belongs into the environment.`;
  return { path, message };
}

/** In which no byte gets lost, also where a file is not in UTF-8. */
function encodingOf(...texts: Buffer[]): 'utf8' | 'latin1' {
  return texts.every((bytes) => isUtf8(bytes)) ? 'utf8' : 'latin1';
}
