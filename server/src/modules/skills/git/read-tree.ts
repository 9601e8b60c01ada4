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

/** Longer than any path that a skill may have. */
const maxEntryBytes = 16 * 1024;

/**
 * Lists all files of a commit below a folder.
 *
 * @throws a problem if there are too many
 */
export async function readTree(run: RunGit, options: Options): Promise<TreeFile[]> {
  const { commit, path, maxFiles } = options;
  const files: TreeFile[] = [];
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
          const file = readEntry(bytes.subarray(start, end));
          start = end + 1;
          if (file) {
            files.push(file);
          }
        }
        rest = Buffer.from(bytes.subarray(start));
        if (files.length > maxFiles) {
          throw tooManyFiles(maxFiles);
        }
        if (rest.length > maxEntryBytes) {
          throw gitProblem('failed', 'A path in the repository is longer than 16 KiB.');
        }
      },
    },
  );
  return files;
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
