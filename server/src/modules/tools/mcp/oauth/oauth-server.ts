import { isLoopbackHost } from '../../../../platform/lib/is-loopback-host.ts';

/** A tool server, as far as sign-in is concerned. */
export interface OAuthServer {
  id: string;
  title: string;
  url: string;
  /** The client registered at the issuer by an admin. */
  client?: { id: string; secret?: string | undefined } | undefined;
  /** Space-separated scopes to request in place of those the server advertises. */
  scope?: string | undefined;
}

/** The user is not or no longer signed in to a server and has to sign in. */
export class SignInRequired extends Error {
  readonly server: string;
  /** Whether the user is signed in but lacks scopes. */
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

/** Whether requests to this address are encrypted or stay on this machine. */
export function isSecure(address: string): boolean {
  if (!URL.canParse(address)) {
    return false;
  }
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || (protocol === 'http:' && isLoopbackHost(hostname));
}
