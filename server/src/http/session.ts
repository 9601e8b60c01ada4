import { randomUUID } from 'node:crypto';
import type { CookieOptions, Request, RequestHandler, Response } from 'express';
import type { Accounts } from '../access/accounts.ts';
import {
  anonymousAllowed,
  anonymousCaller,
  type Caller,
  signedInCaller,
} from '../access/caller.ts';
import type { SessionTokens } from '../access/session-tokens.ts';
import type { Contents } from '../content/contents.ts';

const sessionCookie = 'knowhow_session';
const visitorPrefix = 'anonymous:';
const visitorSeconds = 365 * 24 * 3600;

export interface SessionDependencies {
  accounts: Accounts;
  tokens: SessionTokens;
  contents: () => Contents;
  /** The address listened on: decides on anonymous access where nothing is configured. */
  host: string;
  publicUrl: string | undefined;
}

interface Session {
  caller: Caller;
  /** A visitor who has no cookie yet. */
  isNewVisitor: boolean;
  /** The row in `sessions` of a signed-in user. */
  sessionId: string | undefined;
  /** The cookie is for https only. */
  isSecure: boolean;
}

const sessions = new WeakMap<Request, Session>();

/** Who makes the request. */
export function callerOf(request: Request): Caller {
  return sessionOf(request).caller;
}

export function sessionOf(request: Request): Session {
  const session = sessions.get(request);
  if (!session) {
    throw new Error('The session middleware has not run.');
  }
  return session;
}

/** Works out anew for every request who asks, by cookie or bearer token, and what they may do now. */
export function identify(dependencies: SessionDependencies): RequestHandler {
  const { accounts, tokens, contents, host } = dependencies;
  const secureHost = httpsHostOf(dependencies.publicUrl);
  return async (request, _response, next) => {
    const token = bearerOf(request) ?? cookieOf(request);
    const isSecure = request.secure || request.host === secureHost;
    const claims = token === undefined ? undefined : tokens.verify(token);
    const account =
      claims?.kind === 'user' ? await accounts.findBySession(claims.sessionId) : undefined;
    if (claims?.kind === 'user' && account) {
      const caller = signedInCaller(account, contents());
      sessions.set(request, { caller, sessionId: claims.sessionId, isNewVisitor: false, isSecure });
    } else {
      const known = claims?.kind === 'anonymous' ? claims.visitorId : undefined;
      const id = `${visitorPrefix}${known ?? randomUUID()}`;
      const caller = anonymousCaller(id, contents(), anonymousAllowed(contents(), host));
      const isNewVisitor = known === undefined;
      sessions.set(request, { caller, sessionId: undefined, isNewVisitor, isSecure });
    }
    next();
  };
}

/** Gives a visitor who may stay, and has no cookie yet, one of their own. */
export function keepVisitor(tokens: SessionTokens, request: Request, response: Response): void {
  const { caller, isNewVisitor } = sessionOf(request);
  if (isNewVisitor && caller.mayUse) {
    const visitorId = caller.id.slice(visitorPrefix.length);
    const value = tokens.sign({ kind: 'anonymous', visitorId }, visitorSeconds);
    setSessionCookie(request, response, value, visitorSeconds);
  }
}

export function setSessionCookie(
  request: Request,
  response: Response,
  value: string,
  seconds: number,
): void {
  // One cookie an answer: signing in takes the place of what a new visitor was just given.
  response.removeHeader('Set-Cookie');
  response.cookie(sessionCookie, value, { ...cookieOptions(request), maxAge: seconds * 1000 });
}

export function clearSessionCookie(request: Request, response: Response): void {
  response.removeHeader('Set-Cookie');
  response.clearCookie(sessionCookie, cookieOptions(request));
}

function cookieOptions(request: Request): CookieOptions {
  return { httpOnly: true, sameSite: 'lax', secure: sessionOf(request).isSecure, path: '/' };
}

/** The host that people reach by https, also where a proxy does not say so. */
function httpsHostOf(publicUrl: string | undefined): string | undefined {
  const address = publicUrl === undefined ? undefined : new URL(publicUrl);
  return address?.protocol === 'https:' ? address.host : undefined;
}

/** The token of `Authorization: Bearer`. */
export function bearerOf(request: Request): string | undefined {
  return /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
}

function cookieOf(request: Request): string | undefined {
  const prefix = `${sessionCookie}=`;
  const pair = (request.headers.cookie ?? '')
    .split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(prefix));
  return pair?.slice(prefix.length);
}
