import { realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';

/**
 * Resolves `relativePath` inside `root`, guarding against path traversal: undefined if it does not
 * exist or escapes by `..`, an absolute path, a drive, a backslash, NUL, or a symbolic link.
 * Expects forward slashes and an already decoded path.
 */
export async function resolveInside(
  root: string,
  relativePath: string,
): Promise<string | undefined> {
  if (!isPlainRelativePath(relativePath)) {
    return undefined;
  }
  const [realRoot, realTarget] = await Promise.all([
    realpathOrNone(root),
    realpathOrNone(join(root, relativePath)),
  ]);
  if (realRoot === undefined || realTarget === undefined) {
    return undefined;
  }
  return realTarget === realRoot || realTarget.startsWith(realRoot + sep) ? realTarget : undefined;
}

/** Whether a path consists of ordinary names, such as `references/forms.md`. */
export function isPlainRelativePath(path: string): boolean {
  if (path === '' || path.includes('\0') || path.includes('\\') || /^[A-Za-z]:/.test(path)) {
    return false;
  }
  return path.split('/').every((segment) => segment !== '' && segment !== '.' && segment !== '..');
}

async function realpathOrNone(path: string): Promise<string | undefined> {
  try {
    return await realpath(path);
  } catch {
    return undefined;
  }
}
