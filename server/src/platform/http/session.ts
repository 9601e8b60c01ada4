import { problem } from '@knowhow/shared/problem';
import type { Request, RequestHandler } from 'express';
import type { Authenticator, Session } from './authenticator.ts';
import type { Caller } from './caller.ts';
import { addLogFields } from './request-log-fields.ts';

const sessions = new WeakMap<Request, Session>();

/** Middleware that identifies the caller by the first authenticator that applies to the request. */
export function authenticateRequests(authenticators: readonly Authenticator[]): RequestHandler {
  return async (request, _response, next) => {
    const session = await authenticate(authenticators, request);
    sessions.set(request, session);
    addLogFields(request, { user: session.caller.id });
    next();
  };
}

async function authenticate(
  authenticators: readonly Authenticator[],
  request: Request,
): Promise<Session> {
  for (const authenticator of authenticators) {
    const session = await authenticator.authenticate(request);
    if (session) {
      return session;
    }
  }
  throw problem('not-signed-in', 'Sign in, or send a valid key.');
}

export function getSession(request: Request): Session {
  const session = sessions.get(request);
  if (!session) {
    throw new Error('The authentication middleware has not run.');
  }
  return session;
}

/** The caller of a request. */
export function getCaller(request: Request): Caller {
  return getSession(request).caller;
}

/** The caller, or undefined if the request was rejected before authentication. */
export function findCaller(request: Request): Caller | undefined {
  return sessions.get(request)?.caller;
}

/** Re-evaluates the caller and updates `getCaller`. Throws `not-signed-in`. */
export async function recheckCaller(request: Request): Promise<Caller> {
  const session = getSession(request);
  const caller = await session.recheck();
  sessions.set(request, { ...session, caller });
  return caller;
}
