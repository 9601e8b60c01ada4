import { gitProblem } from './git-problem.ts';
import type { RunGit } from './run-git.ts';

/** A file of a commit. */
export interface TreeFile {
  /** From the root of the repository. */
  path: string;
  kind: 'file' | 'link' | 'submodule';
  executable: boolean;
  /** The id of its content. */
  id: string;
}

interface Options {
  commit: string;
  /** A folder; '' for the root. */
  path: string;
  maxFiles: number;
}

/** More than any path that a skill may have. The time for a path grows with both. */
const maxEntryBytes = 512;
const maxLevels = 40;
/** All paths together, which are in memory. */
const maxTreeBytes = 32 * 1024 * 1024;

/**
 * Lists all files of a commit below a folder.
 *
 * @throws a problem if there are too many
 */
export async function readTree(run: RunGit, options: Options): Promise<TreeFile[]> {
  const { commit, path, maxFiles } = options;
  const files: TreeFile[] = [];
  let total = 0;
  let rest = Buffer.alloc(0);
  await run(
    [
      '--literal-pathspecs',
      'ls-tree',
      '-r',
      '-z',
      '--full-tree',
      commit,
      '--',
      ...(path === '' ? [] : [`${path}/`]),
    ],
    {
      onOutput: (chunk) => {
        const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
        let start = 0;
        for (let end = bytes.indexOf(0); end >= 0; end = bytes.indexOf(0, start)) {
          checkLength(end - start);
          const file = readEntry(bytes.subarray(start, end));
          total += end - start;
          start = end + 1;
          if (file) {
            checkLevels(file.path);
            files.push(file);
          }
        }
        rest = Buffer.from(bytes.subarray(start));
        checkLength(rest.length);
        if (files.length > maxFiles || total > maxTreeBytes) {
          throw tooManyFiles(Math.min(files.length, maxFiles));
        }
      },
    },
  );
  return files;
}

function checkLength(bytes: number): void {
  if (bytes > maxEntryBytes) {
    throw longPath();
  }
}

function checkLevels(path: string): void {
  let levels = 1;
  for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
    levels += 1;
  }
  if (levels > maxLevels) {
    throw longPath();
  }
}

function longPath() {
  return gitProblem(
    'failed',
    'A path in the repository is too long, or has too many folders. Name a folder of the repository.',
  );
}

export function tooManyFiles(maxFiles: number) {
  return gitProblem(
    'too-many-files',
    `There are more than ${maxFiles} files. Name a folder of the repository.`,
  );
}

/** `mode type id<tab>path`. */
function readEntry(entry: Buffer): TreeFile | undefined {
  const tab = entry.indexOf(9);
  const [mode = '', , id = ''] = entry.subarray(0, tab).toString().split(' ');
  const kind = kinds[mode.slice(0, 3)];
  const path = entry.subarray(tab + 1).toString();
  return kind && { path, kind, id, executable: mode === '100755' };
}

const kinds: Readonly<Record<string, TreeFile['kind']>> = {
  '100': 'file',
  '120': 'link',
  '160': 'submodule',
};
