import type { AdminSkillFile } from '@knowhow/shared/skills/admin-skill';
import {
  IconChevronRight,
  IconFile,
  IconFileText,
  IconFolder,
  IconFolderOpen,
  IconPhoto,
} from '@tabler/icons-react';
import { type CSSProperties, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../ui/text/use-format.ts';
import type { FileRow } from './file-rows.ts';
import classes from './file-tree.module.css';
import { useTreeKeys } from './use-tree-keys.ts';

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
