import { type Problem, problem } from '@knowhow/shared/problem';

/** Why a repository cannot be read. */
export type GitFault =
  | 'no-git'
  | 'no-ssh-keygen'
  | 'no-ssh'
  | 'host-key'
  | 'unreachable'
  | 'refused-address'
  | 'redirect'
  | 'private'
  | 'no-repository'
  | 'no-ref'
  | 'no-path'
  | 'push-refused'
  | 'unsigned'
  | 'bad-signature'
  | 'too-slow'
  | 'too-large'
  | 'too-many-files'
  | 'failed';

/** A problem of a repository: its issue has the kind of fault. The sentence says what to do next. */
export function gitProblem(fault: GitFault, text: string, cause?: unknown): Problem {
  const issues = [{ path: 'address', code: fault, message: text }];
  return problem('git-failed', text, { issues, cause });
}
