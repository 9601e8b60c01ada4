import { isRecord } from '@knowhow/shared/is-record';
import { errorCode } from '../../../platform/lib/error-code.ts';
import { OutboundRefused } from '../../../platform/lib/outbound/outbound-rules.ts';
import { SignInRequired } from './oauth/oauth-server.ts';

/** A server is currently unusable; the message tells an admin why, in sentences. */
export class Unavailable extends Error {
  /** Whether the user has to sign in to the server. */
  readonly needsSignIn: boolean;

  constructor(message: string, needsSignIn = false) {
    super(message);
    this.needsSignIn = needsSignIn;
  }
}

const maxCharacters = 1000;

const systemReasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Nothing answers at its address.',
  ECONNRESET: 'It has cut the connection.',
  ENOTFOUND: 'Its host is not known.',
  EAI_AGAIN: 'The name of its host cannot be looked up now.',
  EHOSTUNREACH: 'Its host cannot be reached.',
  ETIMEDOUT: 'It has not answered in time.',
  CERT_HAS_EXPIRED: 'Its certificate has expired.',
};

/** Explains in sentences why connecting to a server failed. */
export function describeFailure(error: unknown): Unavailable {
  if (error instanceof Unavailable) {
    return error;
  }
  const signIn = errorsIn(error).find((found) => found instanceof SignInRequired);
  if (signIn?.wantsMore) {
    return new Unavailable('It requires the user to sign in again, with more rights.', true);
  }
  const status = getHttpStatus(error);
  if (signIn || isUnauthorized(error) || status === 401) {
    return new Unavailable('It requires the user to sign in.', true);
  }
  if (status !== undefined) {
    return new Unavailable(status < 400 ? redirects : `It answered with status ${status}.`);
  }
  const refused = refusalIn(error);
  if (refused) {
    return new Unavailable(refused.message);
  }
  const code = codeOf(error);
  const known = code === undefined ? undefined : systemReasons[code];
  const message = known ?? messageOf(error);
  return new Unavailable(message.slice(0, maxCharacters));
}

const redirects = 'It sends to another address. Write that one into mcp.json, if it is right.';

/**
 * Whether a server no longer knows the session. The call was not executed, so it is safe to retry.
 */
export function isStaleSession(error: unknown): boolean {
  const status = getHttpStatus(error);
  return status === 404 || status === 400;
}

/** The HTTP status carried by an error of the library. */
export function getHttpStatus(error: unknown): number | undefined {
  const data = error instanceof Error && 'data' in error ? error.data : undefined;
  return isRecord(data) && typeof data.status === 'number' ? data.status : undefined;
}

/** Compares by name, so that the library need not be loaded. */
function isUnauthorized(error: unknown): boolean {
  const names = errorsIn(error).map((each) => [each.name, each.constructor.name]);
  return names.flat().includes('UnauthorizedError');
}

function codeOf(error: unknown): string | undefined {
  const codes = errorsIn(error).map(errorCode);
  return codes.find((code) => code !== undefined && Object.hasOwn(systemReasons, code));
}

function refusalIn(error: unknown): OutboundRefused | undefined {
  return errorsIn(error).find((found) => found instanceof OutboundRefused);
}

/** An error and its chain of causes. */
function errorsIn(error: unknown): Error[] {
  const found: Error[] = [];
  let next = error;
  while (next instanceof Error && found.length < 5) {
    found.push(next);
    next = next.cause ?? dataOf(next).cause;
  }
  return found;
}

function dataOf(error: Error): Record<string, unknown> {
  return 'data' in error && isRecord(error.data) ? error.data : {};
}

function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
