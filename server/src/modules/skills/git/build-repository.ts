import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileCommands, joinChunks, type RepositoryFile } from './fast-import.ts';
import { type GitCall, runGit } from './run-git.ts';

/** The content of a repository. */
export interface RepositoryContent {
  /** SHA-256 in hex over paths, contents and executable bits of all files. */
  digest: string;
  /** The message of its commit. */
  message: string;
  /** Reads all files once, in any order. */
  read(): AsyncIterable<RepositoryFile>;
}

interface Build {
  /** A new folder. */
  directory: string;
  content: RepositoryContent;
  variables: GitCall['variables'];
  signal: AbortSignal;
}

const servedBranch = 'main';
/** The same for all commits, so that equal content has the same commit everywhere. */
const author = 'Knowhow <knowhow@localhost> 946684800 +0000';
const config = ['fastimport.unpackLimit=1', 'core.fsync=none', 'pack.compression=1', 'gc.auto=0'];

/**
 * Creates a bare repository with one commit.
 *
 * @returns its size on disk in bytes
 * @throws {GitFailed} if git fails
 */
export async function buildRepository({ directory, content, ...call }: Build): Promise<number> {
  const packs = join(directory, 'objects', 'pack');
  await mkdir(packs, { recursive: true, mode: 0o700 });
  await mkdir(join(directory, 'refs'));
  await writeFile(join(directory, 'HEAD'), `ref: refs/heads/${servedBranch}\n`);
  const settings = '[core]\n\trepositoryFormatVersion = 0\n\tbare = true\n';
  await writeFile(join(directory, 'config'), settings);
  const args = ['fast-import', '--quiet', '--done', '--depth=0'];
  await runGit({ ...call, directory, config, args, input: joinChunks(importStream(content)) });
  const names = await readdir(packs);
  const sizes = await Promise.all(names.map((name) => stat(join(packs, name))));
  return sizes.reduce((sum, { size }) => sum + size, 0);
}

/** https://git-scm.com/docs/git-fast-import */
async function* importStream({ message, read }: RepositoryContent): AsyncIterable<Uint8Array> {
  const text = Buffer.from(message);
  yield Buffer.from(
    `commit refs/heads/${servedBranch}\nauthor ${author}\ncommitter ${author}\ndata ${text.length}\n${message}\n`,
  );
  yield* fileCommands({ remove: [], write: read() });
  yield Buffer.from('done\n');
}
