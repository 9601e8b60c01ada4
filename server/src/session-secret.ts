import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newSessionSecret } from './access/session-tokens.ts';
import { notWritable } from './lib/not-writable.ts';
import { writeFileAtomic } from './lib/write-file-atomic.ts';

/** 32 random bytes that sign sessions, made on the first start. */
export async function sessionSecret(dataDirectory: string): Promise<Buffer> {
  const path = join(dataDirectory, 'session.key');
  try {
    const known = existsSync(path) ? await readFile(path) : undefined;
    if (known?.length === 32) {
      return known;
    }
    const secret = newSessionSecret();
    await writeFileAtomic(path, secret, 0o600);
    return secret;
  } catch (error) {
    throw notWritable(error, `The key of sessions, ${path},`);
  }
}
