import type { Request, Response } from 'express';
import type { Caller } from './caller.ts';

/** One way to identify callers, such as a cookie or an API key. */
export interface Authenticator {
  /**
   * The session of a request; undefined if the request has no credentials of this kind, so that the next
   * authenticator is asked. Wrong credentials give a session whose caller may use nothing.
   */
  authenticate(request: Request): Promise<Session | undefined>;
}

/** A caller, for the duration of one request. */
export interface Session {
  caller: Caller;
  /**
   * The caller with current permissions, for long-running requests. Throws `not-signed-in` if the session or key
   * has ended.
   */
  recheck(): Promise<Caller>;
  /** ID of the stored session of a signed-in user. */
  id?: string;
  /** Whether no valid credentials were sent, so that the ID of the caller is new. */
  isNew: boolean;
  /** Sets the cookies by which the browser is recognized later. Only called for requests of browsers. */
  setCookies?: ((response: Response) => void) | undefined;
}
