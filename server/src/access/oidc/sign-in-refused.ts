import type { SignInError } from '@knowhow/shared/access/oidc';

/** Why somebody is not signed in. The message is for the log. */
export class SignInRefused extends Error {
  readonly reason: SignInError;
  /** What they are called there, as far as that is known. */
  readonly username: string | undefined;
  /** Of whom that is certain. */
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
