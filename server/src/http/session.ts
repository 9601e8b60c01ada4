import { randomUUID } from 'node:crypto';
import { problem } from '@knowhow/shared/problem';
import type { CookieOptions, Request, RequestHandler, Response } from 'express';
import type { Accounts } from '../modules/identity/accounts.ts';
import {
  anonymousAllowed,
  anonymousCaller,
  type Caller,
  embeddedCaller,
  signedInCaller,
} from '../modules/identity/caller.ts';
import type { SessionTokens, VerifiedClaims } from '../modules/identity/session-tokens.ts';
import { getEmbeddedApp, getEmbeddedCookie } from './cookies/embedded-app.ts';
import { findProgramSession, type ProgramDependencies } from './cookies/program-session.ts';
import { findProxiedSession, type ProxiedDependencies } from './cookies/proxied-session.ts';
import { plainCookieName, readSessionClaims, secureCookieName } from './cookies/session-claims.ts';
import { addLogFields } from './request-log-fields.ts';

const visitorPrefix = 'anonymous:';
const visitorCookieSeconds = 365 * 24 * 3600;

export interface SessionDependencies extends ProgramDependencies, ProxiedDependencies {
  accounts: Accounts;
  tokens: SessionTokens;
  /** Listen address: decides on anonymous access if that is not configured. */
  host: string;
  publicUrl: string | undefined;
}

interface Session {
  caller: Caller;
  /**
   * Re-evaluates the caller for long-running requests. Throws `not-signed-in` if the session or key has
   * ended, or anonymous access was disabled.
   */
  callerNow: () => Promise<Caller>;
  /** Replaces a cookie issued before an upgrade. */
  renewed: { token: string; seconds: number } | undefined;
  /** An anonymous visitor without a cookie. */
  isNewVisitor: boolean;
  /** ID of the signed-in user's row in `sessions`. */
  sessionId: string | undefined;
  /** Whether the cookie is for https only. */
  isSecure: boolean;
  /** ID of the app whose embedded chat makes the request. */
  app?: string | undefined;
}

const sessions = new WeakMap<Request, Session>();

/** The caller of a request. */
export function getCaller(request: Request): Caller {
  return getSession(request).caller;
}

/** The caller, or undefined if the request was rejected before identification. */
export function findCaller(request: Request): Caller | undefined {
  return sessions.get(request)?.caller;
}

/** Re-evaluates the caller and updates `getCaller`. Throws `not-signed-in`. */
export async function recheckCaller(request: Request): Promise<Caller> {
  const session = getSession(request);
  const caller = await session.callerNow();
  sessions.set(request, { ...session, caller });
  return caller;
}

export function getSession(request: Request): Session {
  const session = sessions.get(request);
  if (!session) {
    throw new Error('The session middleware has not run.');
  }
  return session;
}

/** Middleware that identifies the caller by cookie, bearer token or proxy header, with current permissions. */
export function identifyCaller(dependencies: SessionDependencies): RequestHandler {
  const { accounts, tokens, contents } = dependencies;
  const secureHost = getHttpsHost(dependencies.publicUrl);
  return async (request, _response, next) => {
    const isSecure = request.secure || request.host === secureHost;
    const program = await findProgramSession(dependencies, request);
    if (program) {
      sessions.set(request, { ...program, isSecure });
      addLogFields(request, { user: getCaller(request).id });
      next();
      return;
    }
    const app = getEmbeddedApp(request);
    const proxied = await findProxiedSession(dependencies, request, app);
    if (proxied) {
      sessions.set(request, { ...proxied, isSecure });
      addLogFields(request, { user: getCaller(request).id });
      next();
      return;
    }
    const { claims, renewed } = readSessionClaims(request, tokens, { isSecure, app });
    const { sessionId, account } = await findSessionAccount(accounts, claims);
    const inApp = (caller: Caller) => (app === undefined ? caller : embeddedCaller(caller, app));
    if (sessionId !== undefined && account) {
      const caller = inApp(signedInCaller(account, contents()));
      const callerNow = async () => inApp(await recheckUser(dependencies, sessionId));
      const isNewVisitor = false;
      const session = { caller, callerNow, sessionId, renewed, isNewVisitor, isSecure, app };
      sessions.set(request, session);
    } else {
      const known = claims?.kind === 'anonymous' ? claims.visitorId : undefined;
      const id = `${visitorPrefix}${known ?? randomUUID()}`;
      const caller = inApp(createVisitor(dependencies, id));
      const callerNow = async () => inApp(await recheckVisitor(dependencies, id));
      const isNewVisitor = known === undefined;
      const session = { caller, callerNow, sessionId: undefined, renewed, isNewVisitor };
      sessions.set(request, { ...session, isSecure, app });
    }
    addLogFields(request, { user: getCaller(request).id });
    next();
  };
}

async function findSessionAccount(accounts: Accounts, claims: VerifiedClaims | undefined) {
  const sessionId = claims?.kind === 'user' ? claims.sessionId : undefined;
  const account = sessionId === undefined ? undefined : await accounts.findBySession(sessionId);
  return { sessionId, account };
}

async function recheckUser(
  { accounts, contents }: SessionDependencies,
  sessionId: string,
): Promise<Caller> {
  const account = await accounts.findBySession(sessionId);
  if (!account) {
    throw problem('not-signed-in', 'You are no longer signed in. Sign in and try again.');
  }
  return signedInCaller(account, contents());
}

async function recheckVisitor(dependencies: SessionDependencies, id: string): Promise<Caller> {
  const caller = createVisitor(dependencies, id);
  if (!caller.mayUse) {
    throw problem('not-signed-in', 'Anonymous access is now disabled. Sign in and try again.');
  }
  return caller;
}

function createVisitor({ contents, host }: SessionDependencies, id: string): Caller {
  return anonymousCaller(id, contents(), anonymousAllowed(contents(), host));
}

/** Issues a cookie to a new anonymous visitor who has access, and replaces outdated cookies. */
export function issueVisitorCookie(
  tokens: SessionTokens,
  request: Request,
  response: Response,
): void {
  const { caller, isNewVisitor, renewed, app } = getSession(request);
  if (renewed) {
    setSessionCookie(request, response, renewed.token, renewed.seconds);
    clearPlainCookie(request, response);
  }
  if (isNewVisitor && caller.mayUse) {
    const visitorId = caller.id.slice(visitorPrefix.length);
    const value = tokens.sign({ kind: 'anonymous', visitorId, app }, visitorCookieSeconds);
    setSessionCookie(request, response, value, visitorCookieSeconds);
  }
}

export function setSessionCookie(
  request: Request,
  response: Response,
  value: string,
  seconds: number,
): void {
  // One cookie per response: signing in replaces a cookie just issued to a new visitor.
  response.removeHeader('Set-Cookie');
  const options = { ...cookieOptions(request), maxAge: seconds * 1000 };
  response.cookie(cookieName(request), value, options);
}

export function clearSessionCookie(request: Request, response: Response): void {
  response.removeHeader('Set-Cookie');
  response.clearCookie(cookieName(request), cookieOptions(request));
  clearPlainCookie(request, response);
}

/** Clears the cookie that older versions set over https. */
function clearPlainCookie(request: Request, response: Response): void {
  const { isSecure, app } = getSession(request);
  if (isSecure && app === undefined) {
    response.clearCookie(plainCookieName, cookieOptions(request));
  }
}

function cookieName(request: Request): string {
  const { isSecure, app } = getSession(request);
  return app === undefined
    ? isSecure
      ? secureCookieName
      : plainCookieName
    : getEmbeddedCookie(app).name;
}

function cookieOptions(request: Request): CookieOptions {
  const { isSecure, app } = getSession(request);
  return app === undefined
    ? { httpOnly: true, sameSite: 'lax', secure: isSecure, path: '/' }
    : getEmbeddedCookie(app).options;
}

/** The public https host, used if the proxy does not report https. */
function getHttpsHost(publicUrl: string | undefined): string | undefined {
  const address = publicUrl === undefined ? undefined : new URL(publicUrl);
  return address?.protocol === 'https:' ? address.host : undefined;
}
