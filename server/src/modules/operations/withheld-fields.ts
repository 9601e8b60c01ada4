import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256 } from '../../platform/lib/sha256.ts';
import { writeFileAtomic } from '../../platform/lib/write-file-atomic.ts';
import { fillFields, withholdSecrets } from '../content/index.ts';
import type { UnpackedFile } from '../skills/index.ts';
import type { BackupSource } from './backup-source.ts';
import type { TreeFile } from './list-tree.ts';
import type { Withheld } from './manifest.ts';

/**
 * A configuration file for a backup: its bytes with secrets emptied, and the paths of these. If they cannot be
 * determined, the reason.
 */
export function withoutSecrets(bytes: Buffer): { bytes: Buffer; fields: string[] } | Undisclosed {
  const encoding = losslessEncoding(bytes);
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
  /** Tells the user what to do about it. */
  message: string;
}

/**
 * Fills withheld secrets of an unpacked backup with their present values. Returns fields without a value, which will
 * be empty after a restore.
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
  const present = current ? await readFile(current.diskPath) : Buffer.alloc(0);
  const safe = withoutSecrets(present);
  const isSame = 'bytes' in safe && safe.bytes.equals(before);
  const { bytes, missing } = isSame
    ? { bytes: present, missing: [] }
    : fillFrom(before, fields, present);
  if (!bytes.equals(before)) {
    await writeFileAtomic(join(source.directory, path), bytes, wanted.executable ? 0o755 : 0o644);
    source.files.set(path, { ...wanted, size: bytes.length, sha256: sha256(bytes) });
  }
  return { missing };
}

function fillFrom(
  bytes: Buffer,
  fields: readonly string[],
  present: Buffer,
): { bytes: Buffer; missing: string[] } {
  const encoding = losslessEncoding(bytes, present);
  try {
    const { text, missing } = fillFields(
      bytes.toString(encoding),
      fields,
      present.toString(encoding),
    );
    return { bytes: Buffer.from(text, encoding), missing };
  } catch {
    return { bytes, missing: [...fields] };
  }
}

function emptyField(path: string, field: string): Emptied {
  const message = `${path}: "${field}" was withheld from the backup and will be empty. Set it again; a key belongs into the environment.`;
  return { path, message };
}

/** An encoding that preserves every byte, even if a file is not UTF-8. */
function losslessEncoding(...texts: Buffer[]): 'utf8' | 'latin1' {
  return texts.every((bytes) => isUtf8(bytes)) ? 'utf8' : 'latin1';
}
