import type { FileRow } from './file-rows.ts';

interface TreePosition {
  rows: readonly FileRow[];
  /** Of the active row. */
  index: number;
  folded: ReadonlySet<string>;
}

/** What a key does in a tree: goes to a row, folds the active one or opens it up, or chooses it. */
export type TreeStep =
  | { kind: 'go'; row: FileRow | undefined }
  | { kind: 'fold'; isFolded: boolean }
  | { kind: 'choose' };

/** The step of a key, as trees have them everywhere; undefined for a key that is not theirs. */
export function treeStep(key: string, position: TreePosition): TreeStep | undefined {
  const { rows, index } = position;
  switch (key) {
    case 'ArrowDown':
      return go(rows[index + 1]);
    case 'ArrowUp':
      return go(rows[index - 1]);
    case 'Home':
      return go(rows[0]);
    case 'End':
      return go(rows.at(-1));
    case 'ArrowRight':
      return isOpenFolder(position) ? go(rows[index + 1]) : { kind: 'fold', isFolded: false };
    case 'ArrowLeft':
      return isOpenFolder(position)
        ? { kind: 'fold', isFolded: true }
        : go(rows.find(({ path }) => path === rows[index]?.parent));
    case 'Enter':
    case ' ':
      return { kind: 'choose' };
    default:
      return key.length === 1 ? go(nextNamed(rows, index, key)) : undefined;
  }
}

function go(row: FileRow | undefined): TreeStep {
  return { kind: 'go', row };
}

function isOpenFolder({ rows, index, folded }: TreePosition): boolean {
  const row = rows[index];
  return row?.kind === 'folder' && !folded.has(row.path);
}

/** The next row, around the end, whose name begins with a letter. */
function nextNamed(rows: readonly FileRow[], index: number, letter: string): FileRow | undefined {
  const wanted = letter.toLowerCase();
  return [...rows.slice(index + 1), ...rows.slice(0, index)].find(({ name }) =>
    name.toLowerCase().startsWith(wanted),
  );
}
