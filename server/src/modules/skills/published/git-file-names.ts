/**
 * Whether a file cannot be in a repository, or would change what git does with it: a part of its path begins with
 * `.git`, in any spelling that a file system of macOS or Windows treats as the same. `git fsck` refuses some of them.
 */
export function isGitFileName(path: string): boolean {
  return path.split(/[/\\]/).some((name) => reserved.test(name.replace(/\p{Cf}/gu, '')));
}

/** Windows also knows files by short names such as `GIT~1`, `GITMOD~1` and `GI7EBA~1`. */
const reserved = /^(?:\.git|gi[^~]{0,6}~\d|\.{1,2}$|$)/i;
