import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartupError } from './open-skills.ts';
import { errorCode } from './platform/lib/error-code.ts';
import { toWriteProblem } from './platform/lib/write-problem.ts';

/**
 * The 32-byte key that encrypts stored secrets, such as users' tokens: `SECRET_KEY`, or a file
 * generated once in the data folder. It is not in the database, so that a copy of that alone
 * reveals nothing. Throws a `StartupError` if the file is damaged.
 */
export async function secretKey(given: Buffer | undefined, dataDirectory: string): Promise<Buffer> {
  if (given) {
    return given;
  }
  const path = join(dataDirectory, 'secret.key');
  try {
    return (await read(path)) ?? (await make(path));
  } catch (error) {
    throw toWriteProblem(error, `The key ${path}`);
  }
}

async function read(path: string): Promise<Buffer | undefined> {
  try {
    const key = Buffer.from(await readFile(path, 'utf8'), 'base64');
    if (key.length === 32) {
      return key;
    }
  } catch (error) {
    if (errorCode(error) === 'ENOENT') {
      return undefined;
    }
    throw error;
  }
  throw new StartupError(
    `${path} holds no key: 32 bytes in base64. Put it back, or remove it for a new one.`,
  );
}

async function make(path: string): Promise<Buffer> {
  const key = randomBytes(32);
  await writeFile(path, `${key.toString('base64')}\n`, { mode: 0o600, flag: 'wx', flush: true });
  return key;
}
