import { Problem, problem } from '@knowhow/shared/problem';
import { errorCode } from './error-code.ts';

/** Converts a read error into a problem that names the path and the next step. */
export function toReadProblem(
  error: unknown,
  path: string,
  kind: 'file' | 'folder' = 'file',
): unknown {
  const code = errorCode(error);
  if (error instanceof Problem || !code) {
    return error;
  }
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    return problem('not-found', `There is no file ${path}.`, { cause: error });
  }
  const why = isForbidden(error)
    ? 'Give the user that runs the server read access to it and to the folders above it.'
    : `The system reports ${code}. Check it, then try again.`;
  return problem('conflict', `The ${kind} ${path} cannot be read. ${why}`, { cause: error });
}

/** Whether the file system denies access to this process. */
export function isForbidden(error: unknown): boolean {
  return ['EACCES', 'EPERM'].includes(errorCode(error) ?? '');
}
