import { Problem, problem } from '@knowhow/shared/problem';
import { errorCode } from './error-code.ts';

/** What to throw when a file cannot be opened to be read: a problem that names it, with the next step. */
export function notReadable(error: unknown, path: string): unknown {
  const code = errorCode(error);
  if (error instanceof Problem || !code) {
    return error;
  }
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    return problem('not-found', `There is no file ${path}.`, { cause: error });
  }
  const why =
    code === 'EACCES' || code === 'EPERM'
      ? 'Give the user who runs this the right to read it and the folders above it.'
      : `The system says ${code}. Look at it, then try again.`;
  return problem('not-found', `The file ${path} cannot be read. ${why}`, { cause: error });
}
