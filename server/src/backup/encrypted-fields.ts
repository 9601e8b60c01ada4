import { readFile } from 'node:fs/promises';
import type { UnpackedFile } from './unpack-members.ts';

/** Names the values in a file of iHub that it has encrypted: nobody else can read them. */
export async function encryptedFields({ path, place }: UnpackedFile): Promise<string[]> {
  const fields = [...encryptedIn(parsed(await readFile(place, 'utf8')), '')];
  return fields.map(
    (field) =>
      `${path}: "${field}" is encrypted by iHub and cannot be read here. Set it again; a key belongs into the environment.`,
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
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
