import { isLoopbackHost } from '../../lib/is-loopback-host.ts';

/** A server of tools, as far as signing in to it goes. */
export interface OAuthServer {
  id: string;
  title: string;
  url: string;
  /** What it is known by at the issuer, where an admin has registered it. */
  client?: { id: string; secret?: string | undefined } | undefined;
  /** What is asked for, in place of what the server says; separated by blanks. */
  scope?: string | undefined;
}

/** Nobody is signed in there any more, or never was: the user has to. */
export class SignInRequired extends Error {
  readonly server: string;
  /** Whether they are signed in, with fewer rights than are needed. */
  readonly wantsMore: boolean;

  constructor({ id, title }: OAuthServer, wantsMore = false) {
    const why = wantsMore
      ? 'it wants more rights than were given to it.'
      : 'it does not accept the former sign-in any more.';
    super(`Sign in to ${title} again: ${why}`);
    this.server = id;
    this.wantsMore = wantsMore;
  }
}

/** What goes to that address can be read by nobody on the way. */
export function isSecure(address: string): boolean {
  if (!URL.canParse(address)) {
    return false;
  }
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || (protocol === 'http:' && isLoopbackHost(hostname));
}
