import { Problem, problem } from '@knowhow/shared/problem';
import { errorCode } from './error-code.ts';

/** Next steps by error code of the file system. */
const remedies: Record<string, string> = {
  ENOSPC: 'there is no space left. Free some space on that disk, then try again.',
  EDQUOT: 'the quota is used up. Free some space or raise the quota, then try again.',
  EROFS: 'it is mounted read-only. Mount it writable, then try again.',
  EACCES: 'the server may not write there. Give its user the right to, then try again.',
  EPERM: 'the server may not write there. Give its user the right to, then try again.',
  EXDEV: 'a folder in it is a separate mount. Mount the folder as a whole, or change it there.',
  EBUSY: 'a folder in it is a mount point or in use. Change it there, or try again later.',
  ENOENT: 'a folder is missing or cannot be created. Check it and its permissions, then try again.',
  EEXIST: 'it, or something on the way to it, is a file. Make it a folder, then try again.',
  ENOTDIR: 'it, or something on the way to it, is a file. Make it a folder, then try again.',
};

/**
 * Converts a write error into a problem with the next step; other errors are returned unchanged.
 *
 * @param subject start of the sentence, such as `The folder of local skills`
 */
export function toWriteProblem(error: unknown, subject: string): unknown {
  const code = errorCode(error);
  if (error instanceof Problem || !code) {
    return error;
  }
  const remedy = remedies[code] ?? `the system says ${code}. Look at the disk, then try again.`;
  return problem('not-writable', `${subject} cannot be written: ${remedy}`, { cause: error });
}
