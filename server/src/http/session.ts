import { randomUUID } from 'node:crypto';
import { problem } from '@knowhow/shared/problem';
import type { CookieOptions, Request, RequestHandler, Response } from 'express';
import type { Accounts } from '../access/accounts.ts';
import {
  anonymousAllowed,
  anonymousCaller,
  type Caller,
  embeddedCaller,
  signedInCaller,
} from '../access/caller.ts';
import type { SessionTokens, VerifiedClaims } from '../access/session-tokens.ts';
import { claimsOf, plainCookie, secureCookie } from './cookies/claims-of.ts';
import { embeddedApp, embeddedCookie } from './cookies/embedded-app.ts';
import { type ProgramDependencies, programSession } from './cookies/program-session.ts';
import { type ProxiedDependencies, proxiedSession } from './cookies/proxied-session.ts';
import { addFacts } from './request-facts.ts';

const visitorPrefix = 'anonymous:';
const visitorSeconds = 365 * 24 * 3600;

export interface SessionDependencies extends ProgramDependencies, ProxiedDependencies {
  accounts: Accounts;
  tokens: SessionTokens;
  /** The address listened on: decides on anonymous access where nothing is configured. */
  host: string;
  publicUrl: string | undefined;
}

interface Session {
  caller: Caller;
  /**
   * The same as things are now, for what takes long. Throws `not-signed-in` when the session or the key has
   * ended, or the visitor may not be here any more.
   */
  callerNow: () => Promise<Caller>;
  /** What takes the place of a cookie from before an upgrade. */
  renewed: { token: string; seconds: number } | undefined;
  /** A visitor who has no cookie yet. */
  isNewVisitor: boolean;
  /** The row in `sessions` of a signed-in user. */
  sessionId: string | undefined;
  /** The cookie is for https only. */
  isSecure: boolean;
  /** The app whose chat, in a page of somebody else, makes the request. */
  app?: string | undefined;
}

const sessions = new WeakMap<Request, Session>();

/** Who makes the request. */
export function callerOf(request: Request): Caller {
  return sessionOf(request).caller;
}

/** The same; undefined for a request that was refused before it was known who makes it. */
export function knownCaller(request: Request): Caller | undefined {
  return sessions.get(request)?.caller;
}

/** Looks again who makes the request: `callerOf` answers that from now on. Throws `not-signed-in`. */
export async function renewCaller(request: Request): Promise<Caller> {
  const session = sessionOf(request);
  const caller = await session.callerNow();
  sessions.set(request, { ...session, caller });
  return caller;
}

export function sessionOf(request: Request): Session {
  const session = sessions.get(request);
  if (!session) {
    throw new Error('The session middleware has not run.');
  }
  return session;
}

/** Works out for every request who asks, by cookie or bearer token, and what they may do now. */
export function identify(dependencies: SessionDependencies): RequestHandler {
  const { accounts, tokens, contents } = dependencies;
  const secureHost = httpsHostOf(dependencies.publicUrl);
  return async (request, _response, next) => {
    const isSecure = request.secure || request.host === secureHost;
    const program = await programSession(dependencies, request);
    if (program) {
      sessions.set(request, { ...program, isSecure });
      addFacts(request, { user: callerOf(request).id });
      next();
      return;
    }
    const app = embeddedApp(request);
    const proxied = await proxiedSession(dependencies, request, app);
    if (proxied) {
      sessions.set(request, { ...proxied, isSecure });
      addFacts(request, { user: callerOf(request).id });
      next();
      return;
    }
    const { claims, renewed } = claimsOf(request, tokens, { isSecure, app });
    const { sessionId, account } = await accountOf(accounts, claims);
    const here = (caller: Caller) => (app === undefined ? caller : embeddedCaller(caller, app));
    if (sessionId !== undefined && account) {
      const caller = here(signedInCaller(account, contents()));
      const callerNow = async () => here(await userNow(dependencies, sessionId));
      const isNewVisitor = false;
      const session = { caller, callerNow, sessionId, renewed, isNewVisitor, isSecure, app };
      sessions.set(request, session);
    } else {
      const known = claims?.kind === 'anonymous' ? claims.visitorId : undefined;
      const id = `${visitorPrefix}${known ?? randomUUID()}`;
      const caller = here(visitor(dependencies, id));
      const callerNow = async () => here(await visitorNow(dependencies, id));
      const isNewVisitor = known === undefined;
      const session = { caller, callerNow, sessionId: undefined, renewed, isNewVisitor };
      sessions.set(request, { ...session, isSecure, app });
    }
    addFacts(request, { user: callerOf(request).id });
    next();
  };
}

async function accountOf(accounts: Accounts, claims: VerifiedClaims | undefined) {
  const sessionId = claims?.kind === 'user' ? claims.sessionId : undefined;
  const account = sessionId === undefined ? undefined : await accounts.findBySession(sessionId);
  return { sessionId, account };
}

async function userNow(
  { accounts, contents }: SessionDependencies,
  sessionId: string,
): Promise<Caller> {
  const account = await accounts.findBySession(sessionId);
  if (!account) {
    throw problem('not-signed-in', 'You are not signed in any more. Sign in and send it again.');
  }
  return signedInCaller(account, contents());
}

async function visitorNow(dependencies: SessionDependencies, id: string): Promise<Caller> {
  const caller = visitor(dependencies, id);
  if (!caller.mayUse) {
    throw problem('not-signed-in', 'Visitors need an account now. Sign in and send it again.');
  }
  return caller;
}

function visitor({ contents, host }: SessionDependencies, id: string): Caller {
  return anonymousCaller(id, contents(), anonymousAllowed(contents(), host));
}

/** Gives a visitor who may stay, and has no cookie yet, one of their own. */
export function keepVisitor(tokens: SessionTokens, request: Request, response: Response): void {
  const { caller, isNewVisitor, renewed, app } = sessionOf(request);
  if (renewed) {
    setSessionCookie(request, response, renewed.token, renewed.seconds);
    clearPlainCookie(request, response);
  }
  if (isNewVisitor && caller.mayUse) {
    const visitorId = caller.id.slice(visitorPrefix.length);
    const value = tokens.sign({ kind: 'anonymous', visitorId, app }, visitorSeconds);
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
  const options = { ...cookieOptions(request), maxAge: seconds * 1000 };
  response.cookie(cookieName(request), value, options);
}

export function clearSessionCookie(request: Request, response: Response): void {
  response.removeHeader('Set-Cookie');
  response.clearCookie(cookieName(request), cookieOptions(request));
  clearPlainCookie(request, response);
}

/** What an older version has left behind by https. */
function clearPlainCookie(request: Request, response: Response): void {
  const { isSecure, app } = sessionOf(request);
  if (isSecure && app === undefined) {
    response.clearCookie(plainCookie, cookieOptions(request));
  }
}

function cookieName(request: Request): string {
  const { isSecure, app } = sessionOf(request);
  return app === undefined ? (isSecure ? secureCookie : plainCookie) : embeddedCookie(app).name;
}

function cookieOptions(request: Request): CookieOptions {
  const { isSecure, app } = sessionOf(request);
  return app === undefined
    ? { httpOnly: true, sameSite: 'lax', secure: isSecure, path: '/' }
    : embeddedCookie(app).options;
}

/** The host that people reach by https, also where a proxy does not say so. */
function httpsHostOf(publicUrl: string | undefined): string | undefined {
  const address = publicUrl === undefined ? undefined : new URL(publicUrl);
  return address?.protocol === 'https:' ? address.host : undefined;
}
