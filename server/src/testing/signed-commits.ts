import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { GitServer } from './git-server.ts';
import { temporaryFolder } from './write-files.ts';

/** A key for signatures. */
export interface TestSigner {
  /** Path of the private key. */
  file: string;
  /** The type and the public key. */
  publicKey: string;
}

const run = promisify(execFile);

/** Creates a key with the system's ssh-keygen. */
export async function createSigner(...options: string[]): Promise<TestSigner> {
  const file = join(await temporaryFolder(), 'key');
  const type = options.length > 0 ? options : ['-t', 'ed25519'];
  await run('ssh-keygen', ['-q', ...type, '-N', '', '-C', '', '-f', file]);
  return { file, publicKey: (await readFile(`${file}.pub`, 'utf8')).trim() };
}

/** Signs the last commit of the branch `main`, which gets another number. Returns it. */
export async function signCommit(
  { git }: Pick<GitServer, 'git'>,
  name: string,
  { file }: Pick<TestSigner, 'file'>,
): Promise<string> {
  const by = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.com', '-c', 'gpg.format=ssh'];
  const commit = ['commit-tree', `-S${file}`, '-m', 'Signed', 'main^{tree}'];
  const signed = (await git(name, [...by, ...commit])).trim();
  await git(name, ['update-ref', 'refs/heads/main', signed]);
  return signed;
}
