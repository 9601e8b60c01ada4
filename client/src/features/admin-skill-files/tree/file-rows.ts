import type { AdminSkillFile } from '@knowhow/shared/skills/admin-skill';

/** A file or a folder, as a row of the tree. */
export interface FileRow {
  path: string;
  name: string;
  kind: AdminSkillFile['kind'] | 'folder';
  /** In bytes; for a folder, the total of its contents. */
  size: number;
  /** Parent folder; '' for the skill's own. */
  parent: string;
  /** Level, from 1. */
  level: number;
  /** Position among its siblings, from 1, and their number. */
  position: number;
  siblings: number;
}

const order = new Intl.Collator('en', { numeric: true });

/** The visible rows: `SKILL.md`, then folders, then files; without contents of collapsed folders. */
export function fileRows(
  files: readonly AdminSkillFile[],
  folded: ReadonlySet<string>,
  parent = '',
): FileRow[] {
  const level = parent === '' ? 1 : parent.split('/').length + 1;
  const rows = listChildren(parent, files).sort(compareRows);
  return rows.flatMap((row, index) => [
    { ...row, parent, level, position: index + 1, siblings: rows.length },
    ...(row.kind === 'folder' && !folded.has(row.path) ? fileRows(files, folded, row.path) : []),
  ]);
}

type Entry = Pick<FileRow, 'path' | 'name' | 'kind' | 'size'>;

function listChildren(parent: string, files: readonly AdminSkillFile[]): Entry[] {
  const start = parent === '' ? '' : `${parent}/`;
  const entries = new Map<string, Entry>();
  for (const { path, kind, size } of files.filter((file) => file.path.startsWith(start))) {
    const [name = '', ...below] = path.slice(start.length).split('/');
    const known = entries.get(name)?.size ?? 0;
    entries.set(name, {
      path: start + name,
      name,
      kind: below.length > 0 ? 'folder' : kind,
      size: known + size,
    });
  }
  return [...entries.values()];
}

function compareRows(one: Entry, other: Entry): number {
  return getRank(one) - getRank(other) || order.compare(one.name, other.name);
}

function getRank({ path, kind }: Entry): number {
  if (isSkillFile(path)) {
    return 0;
  }
  return kind === 'folder' ? 1 : 2;
}

/** Whether it is the file that makes the folder a skill. */
export function isSkillFile(path: string): boolean {
  return path.toLowerCase() === 'skill.md';
}

/** All folders that contain files. */
export function foldersOf(files: readonly { path: string }[]): string[] {
  const folders = files.flatMap(({ path }) => {
    const names = path.split('/').slice(0, -1);
    return names.map((_, index) => names.slice(0, index + 1).join('/'));
  });
  return [...new Set(folders)].sort(order.compare);
}

/** The folder of a file; '' for the skill's own. */
export function folderOf(path: string): string {
  return path.split('/').slice(0, -1).join('/');
}
