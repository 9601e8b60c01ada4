import type { AdminSkillFile } from '@knowhow/shared/skills/admin-skill';
import {
  IconChevronRight,
  IconFile,
  IconFileText,
  IconFolder,
  IconFolderOpen,
  IconPhoto,
} from '@tabler/icons-react';
import { type CSSProperties, type KeyboardEvent, type RefObject, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../ui/text/use-format.ts';
import { type FileRow, fileRows } from './file-rows.ts';
import classes from './file-tree.module.css';

interface FileTreeProps {
  files: readonly AdminSkillFile[];
  /** The path of the open file. */
  open: string;
  /** Paths of unsaved files. */
  unsaved: readonly string[];
  onOpen: (path: string) => void;
}

/** The files of a skill as a tree with keyboard navigation. */
export function FileTree({ files, open, unsaved, onOpen }: FileTreeProps) {
  const { t } = useTranslation();
  const tree = useRef<HTMLDivElement>(null);
  const { rows, folded, active, choose, onKeyDown } = useTreeKeys({ files, open, onOpen, tree });
  return (
    <div
      ref={tree}
      className={classes.tree}
      role="tree"
      aria-label={t('skillFiles.tree')}
      tabIndex={-1}
      onKeyDown={onKeyDown}
    >
      {rows.map((row) => (
        <Row
          key={row.path}
          row={row}
          isOpen={row.path === open}
          isFolded={folded.has(row.path)}
          isActive={row === active}
          isUnsaved={isUnsaved(row, folded, unsaved)}
          onClick={() => choose(row)}
        />
      ))}
    </div>
  );
}

interface RowProps {
  row: FileRow;
  isOpen: boolean;
  isFolded: boolean;
  /** The roving tab stop. */
  isActive: boolean;
  isUnsaved: boolean;
  onClick: () => void;
}

function Row({ row, isOpen, isFolded, isActive, isUnsaved, onClick }: RowProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const isFolder = row.kind === 'folder';
  const Icon = isFolder && isFolded ? IconFolder : icons[row.kind];
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree listens to keys for all its rows
    <div
      className={classes.row}
      role="treeitem"
      data-path={row.path}
      data-folder={isFolder || undefined}
      tabIndex={isActive ? 0 : -1}
      aria-level={row.level}
      aria-posinset={row.position}
      aria-setsize={row.siblings}
      aria-expanded={isFolder ? !isFolded : undefined}
      aria-selected={isOpen}
      style={{ '--level': row.level - 1 } as CSSProperties}
      onClick={onClick}
    >
      {isFolder && <IconChevronRight className={classes.chevron} size={14} aria-hidden />}
      <Icon className={classes.icon} size={16} aria-hidden />
      <span className={classes.name} title={row.name}>
        {row.name}
      </span>
      {isUnsaved && (
        <span className={classes.unsaved} role="img" aria-label={t('skillFiles.unsaved')} />
      )}
      <span className={classes.size}>{format.bytes(row.size)}</span>
    </div>
  );
}

const icons = {
  folder: IconFolderOpen,
  text: IconFileText,
  picture: IconPhoto,
  binary: IconFile,
} as const;

/** A collapsed folder aggregates its contents. */
function isUnsaved(
  { path }: FileRow,
  folded: ReadonlySet<string>,
  unsaved: readonly string[],
): boolean {
  return unsaved.some(
    (changed) => changed === path || (folded.has(path) && changed.startsWith(`${path}/`)),
  );
}

interface TreeKeysOptions {
  files: readonly AdminSkillFile[];
  open: string;
  onOpen: (path: string) => void;
  tree: RefObject<HTMLElement | null>;
}

/** The rows of a tree, the active row, and the keyboard navigation. */
function useTreeKeys({ files, open, onOpen, tree }: TreeKeysOptions) {
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

interface TreePosition {
  rows: readonly FileRow[];
  /** Path of the active row. */
  index: number;
  folded: ReadonlySet<string>;
}

/** The effect of a key in a tree: move, expand, collapse, or open. */
type TreeStep =
  | { kind: 'go'; row: FileRow | undefined }
  | { kind: 'fold'; isFolded: boolean }
  | { kind: 'choose' };

/** Standard tree view keys (WAI-ARIA); undefined for other keys. */
function getTreeStep(key: string, position: TreePosition): TreeStep | undefined {
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
