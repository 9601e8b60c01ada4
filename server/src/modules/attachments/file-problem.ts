import { type Problem, type ProblemCode, problem } from '@knowhow/shared/problem';
import { type FileFault, fileFaults } from '@knowhow/shared/skills/file-faults';

/** The problem for a rejected file; clients identify the reason by the issue's code. */
export function toFileProblem(fault: FileFault): Problem {
  const message = fileFaults[fault];
  return problem(codes[fault], message, { issues: [{ path: 'file', code: fault, message }] });
}

const codes: Record<FileFault, ProblemCode> = {
  nothing: 'bad-request',
  'unknown-kind': 'unsupported-type',
  locked: 'unsupported-type',
  broken: 'bad-request',
  encrypted: 'bad-request',
  empty: 'bad-request',
  'too-large': 'too-large',
  'too-slow': 'bad-request',
  'broken-picture': 'bad-request',
  'large-picture': 'too-large',
  'wide-picture': 'too-large',
};
