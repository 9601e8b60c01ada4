import type { Stats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { problem } from '@knowhow/shared/problem';
import { findPathIssue, isSkippedName } from '@knowhow/skill-format';
import { isVisited } from './folder-entry.ts';

/** A path that may be written. */
interface WritablePath {
  /** Absolute. */
  path: string;
  /** The existing file or folder, if any. */
  found: Stats | undefined;
}

/** A path in a skill: its folder, relative to that of all local skills, or a file in it. */
export interface SkillPath {
  folder: string;
  path?: string;
}

/**
 * Resolves a target below `root`, which must be a real path. Prevents path traversal: throws a
 * problem for invalid names, and for a symbolic link or a file on the way.
 */
export async function writablePath(
  root: string,
  { folder, path }: SkillPath,
): Promise<WritablePath> {
  checkNames(folder, (name) => !isVisited({ name }));
  if (path === undefined) {
    return walk(root, folder.split('/'));
  }
  checkFilePath(path);
  return walk(root, `${folder}/${path}`.split('/'));
}

/** Throws a problem for an invalid path of a skill's file, or one that is never read. */
export function checkFilePath(path: string): void {
  checkNames(path, isSkippedName);
}

function checkNames(path: string, isSkipped: (name: string) => boolean): void {
  const skipped = path.split('/').find(isSkipped);
  const fault =
    findPathIssue(path) ??
    (skipped === undefined
      ? undefined
      : { code: 'path-skipped', message: `"${skipped}" is never read as part of a skill.` });
  if (fault) {
    throw problem('invalid-request', `"${path}" cannot be written. ${fault.message}`, {
      issues: [{ path, ...fault }],
    });
  }
}

async function walk(root: string, names: readonly string[]): Promise<WritablePath> {
  let path = root;
  for (const [at, name] of names.entries()) {
    path = join(path, name);
    const found = await lstat(path).catch(() => undefined);
    if (found === undefined) {
      return { path: join(root, ...names), found: undefined };
    }
    const shown = names.slice(0, at + 1).join('/');
    const isLast = at === names.length - 1;
    if (found.isSymbolicLink()) {
      throw problem('conflict', `"${shown}" is a symbolic link. Change what it leads to instead.`);
    }
    if (isLast) {
      return { path, found };
    }
    if (!found.isDirectory()) {
      throw problem('conflict', `"${shown}" is a file, so it cannot contain anything.`);
    }
  }
  return { path, found: undefined };
}
