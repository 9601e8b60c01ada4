import type { SignInError } from '@knowhow/shared/access/oidc';

/** A denied sign-in. The message is for the log. */
export class SignInRefused extends Error {
  readonly reason: SignInError;
  /** Username at the provider, if known. */
  readonly username: string | undefined;
  /** The verified identity, if known. */
  readonly identity: string | undefined;

  constructor(reason: SignInError, message: string, options: Options = {}) {
    super(message, { cause: options.cause });
    this.name = 'SignInRefused';
    this.reason = reason;
    this.username = options.username;
    this.identity = options.identity;
  }
}

interface Options {
  cause?: unknown;
  username?: string;
  identity?: string;
}
