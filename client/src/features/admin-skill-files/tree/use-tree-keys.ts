import type { AdminSkillFile } from '@knowhow/shared/skills/admin-skill';
import { type KeyboardEvent, type RefObject, useState } from 'react';
import { type FileRow, fileRows } from './file-rows.ts';
import { getTreeStep } from './tree-step.ts';

interface TreeKeysOptions {
  files: readonly AdminSkillFile[];
  open: string;
  onOpen: (path: string) => void;
  tree: RefObject<HTMLElement | null>;
}

/** The rows of a tree, the active row, and the keyboard navigation. */
export function useTreeKeys({ files, open, onOpen, tree }: TreeKeysOptions) {
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const [walked, setWalked] = useState<string>();
  const rows = fileRows(files, folded);
  const active = rows.find(({ path }) => path === walked) ?? findVisibleRow(open, rows);

  function goTo({ path }: FileRow) {
    setWalked(path);
    tree.current?.querySelector<HTMLElement>(`[data-path=${CSS.escape(path)}]`)?.focus();
  }

  function fold(path: string, isFolded: boolean) {
    const others = [...folded].filter((other) => other !== path);
    setFolded(new Set(isFolded ? [...others, path] : others));
  }

  function choose(row: FileRow) {
    goTo(row);
    if (row.kind === 'folder') {
      fold(row.path, !folded.has(row.path));
    } else {
      onOpen(row.path);
    }
  }

  function onKeyDown(event: KeyboardEvent) {
    if (!active || event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    const step = getTreeStep(event.key, { rows, index: rows.indexOf(active), folded });
    if (!step) {
      return;
    }
    event.preventDefault();
    if (step.kind === 'choose') {
      choose(active);
    } else if (step.kind === 'fold') {
      fold(active.path, step.isFolded);
    } else if (step.row) {
      goTo(step.row);
    }
  }

  return { rows, folded, active, choose, onKeyDown };
}

/** The row of a path, or of the collapsed folder that contains it. */
function findVisibleRow(path: string, rows: readonly FileRow[]): FileRow | undefined {
  const around = rows.filter((row) => path === row.path || path.startsWith(`${row.path}/`));
  return around.at(-1) ?? rows[0];
}
