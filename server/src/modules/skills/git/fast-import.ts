/** Input of `git fast-import`: https://git-scm.com/docs/git-fast-import */

export interface RepositoryFile {
  /** From the root, with forward slashes; see `isGitFileName` for names that git refuses. */
  path: string;
  executable: boolean;
  bytes: Uint8Array;
}

/** Small parts are joined, because each write to git costs a system call. */
const chunkBytes = 256 * 1024;

interface FileChanges {
  /** Paths from the root. */
  remove: readonly string[];
  write: Iterable<RepositoryFile> | AsyncIterable<RepositoryFile>;
}

/** The commands of a commit that remove and write files. */
export async function* fileCommands({ remove, write }: FileChanges): AsyncIterable<Uint8Array> {
  for (const path of remove) {
    yield Buffer.from(`D ${quotePath(path)}\n`);
  }
  for await (const { path, executable, bytes } of write) {
    const mode = executable ? '100755' : '100644';
    yield Buffer.from(`M ${mode} inline ${quotePath(path)}\ndata ${bytes.length}\n`);
    yield bytes;
    yield lineBreak;
  }
}

const lineBreak = Buffer.from('\n');

function quotePath(path: string): string {
  const quoted = path.replace(/["\\]/g, '\\$&').replace(/\n/g, '\\n');
  return `"${quoted}"`;
}

/** Joins small parts. */
export async function* joinChunks(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  let joined: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    joined.push(chunk);
    size += chunk.length;
    if (size >= chunkBytes) {
      yield Buffer.concat(joined);
      joined = [];
      size = 0;
    }
  }
  yield Buffer.concat(joined);
}
