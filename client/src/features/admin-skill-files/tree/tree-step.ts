import type { FileRow } from './file-rows.ts';

interface TreePosition {
  rows: readonly FileRow[];
  /** Path of the active row. */
  index: number;
  folded: ReadonlySet<string>;
}

/** The effect of a key in a tree: move, expand, collapse, or open. */
export type TreeStep =
  | { kind: 'go'; row: FileRow | undefined }
  | { kind: 'fold'; isFolded: boolean }
  | { kind: 'choose' };

/** Standard tree view keys (WAI-ARIA); undefined for other keys. */
export function getTreeStep(key: string, position: TreePosition): TreeStep | undefined {
  const { rows, index } = position;
  switch (key) {
    case 'ArrowDown':
      return moveTo(rows[index + 1]);
    case 'ArrowUp':
      return moveTo(rows[index - 1]);
    case 'Home':
      return moveTo(rows[0]);
    case 'End':
      return moveTo(rows.at(-1));
    case 'ArrowRight':
      return isOpenFolder(position) ? moveTo(rows[index + 1]) : { kind: 'fold', isFolded: false };
    case 'ArrowLeft':
      return isOpenFolder(position)
        ? { kind: 'fold', isFolded: true }
        : moveTo(rows.find(({ path }) => path === rows[index]?.parent));
    case 'Enter':
    case ' ':
      return { kind: 'choose' };
    default:
      return key.length === 1 ? moveTo(findNextByLetter(rows, index, key)) : undefined;
  }
}

function moveTo(row: FileRow | undefined): TreeStep {
  return { kind: 'go', row };
}

function isOpenFolder({ rows, index, folded }: TreePosition): boolean {
  const row = rows[index];
  return row?.kind === 'folder' && !folded.has(row.path);
}

/** Type-ahead: the next row, wrapping around, whose name starts with a letter. */
function findNextByLetter(
  rows: readonly FileRow[],
  index: number,
  letter: string,
): FileRow | undefined {
  const wanted = letter.toLowerCase();
  return [...rows.slice(index + 1), ...rows.slice(0, index)].find(({ name }) =>
    name.toLowerCase().startsWith(wanted),
  );
}
