import { realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';

/**
 * The real path of `relativePath` inside the folder `root`, or undefined when there is nothing or
 * when it would lead out: `..`, an absolute path, a drive, a back-slash, NUL, or a symbolic link.
 * The path takes forward slashes and is used as it is: decode it once, before.
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

/** Whether a path is a chain of ordinary names, such as `references/forms.md`. */
function isPlainRelativePath(path: string): boolean {
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
