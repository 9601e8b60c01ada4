import { type Problem, problem } from '@knowhow/shared/problem';
import { errorCode } from '../../lib/error-code.ts';
import { getErrorMessage } from '../../lib/get-error-message.ts';
import { shownAddress } from './shown-address.ts';

/** Remedies, by SQLSTATE or system error code. */
const remedies: Record<string, string> = {
  ECONNREFUSED: 'nothing is listening there. Check its address, and that it runs',
  ENOENT: 'nothing is listening there. Check its address, and that it runs',
  ENOTFOUND: 'there is no host of that name. Check its address',
  EAI_AGAIN: 'there is no host of that name now. Check its address and the network',
  '3D000': 'there is no such database. Make it, or name another',
  '28000': 'it does not let this user in. Check the name and its pg_hba.conf',
  '28P01': 'the name or the password is wrong',
  '42501': 'this user may not connect to it. Grant it the right to',
  '53300': 'it has no connection left. Raise its max_connections',
  '57P03': 'it is starting or stopping. Try again in a moment',
};

/** Explains in one line why the connection to a database failed, and what to do. */
export function connectionProblem(url: string, error: unknown): Problem {
  const remedy = remedies[errorCode(error) ?? ''];
  const message = getErrorMessage(error).replace(/\s+/g, ' ');
  return unusableDatabaseProblem(url, remedy ?? `${message}. Check its address`, error);
}

export function unusableDatabaseProblem(url: string, why: string, cause?: unknown): Problem {
  return problem('not-writable', `The database ${shownAddress(url)} cannot be used: ${why}.`, {
    cause,
  });
}
