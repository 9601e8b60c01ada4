import { createHmac, randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { isEqualSecret } from '../../../platform/lib/is-equal-secret.ts';

/** A request of a git server after a push. */
export interface Hook {
  headers: IncomingHttpHeaders;
  /** The body as it was sent. */
  body: Uint8Array;
}

const minSecretLength = 16;

/** The secret of a webhook in the environment; undefined if it is missing or too short. */
export function getHookSecret(
  variables: Readonly<Record<string, string | undefined>>,
  variable: string,
): string | undefined {
  const secret = (variables[variable] ?? '').trim();
  return secret.length < minSecretLength ? undefined : secret;
}

/** Checked for sources without a secret, so that they answer as late as others. */
const randomSecret = randomBytes(32).toString('hex');

/**
 * Whether a request has the signature of GitHub or Gitea (HMAC-SHA-256 over the body), or the token of GitLab:
 * https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries
 */
export function isSigned({ headers, body }: Hook, secret = randomSecret): boolean {
  const signature = createHmac('sha256', secret).update(body).digest('hex');
  const matches = [
    isEqual(headers['x-hub-signature-256'], `sha256=${signature}`),
    isEqual(headers['x-gitea-signature'], signature),
    isEqual(headers['x-gitlab-token'], secret),
  ];
  return matches.includes(true);
}

function isEqual(given: string | string[] | undefined, expected: string): boolean {
  return isEqualSecret(typeof given === 'string' ? given : '', expected);
}
