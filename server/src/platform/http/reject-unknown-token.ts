import { problem } from '@knowhow/shared/problem';
import type { Request, RequestHandler } from 'express';
import { getBearerToken } from './bearer-token.ts';
import { getSession } from './session.ts';

/**
 * Rejects a program whose token is unknown or expired, instead of treating it as anonymous.
 *
 * @param metadataOf the URL of the OAuth protected resource metadata (RFC 9728); undefined for none
 */
export function rejectUnknownToken(
  metadataOf: (request: Request) => string | undefined = () => undefined,
): RequestHandler {
  return (request, response, next) => {
    const { isNew, caller } = getSession(request);
    const isUnknown = isNew && getBearerToken(request) !== undefined;
    if (isUnknown || !caller.mayUse) {
      const metadata = metadataOf(request);
      const where = metadata === undefined ? '' : ` resource_metadata="${metadata}"`;
      const error = isUnknown ? `${where === '' ? '' : ','} error="invalid_token"` : '';
      response.set('WWW-Authenticate', `Bearer${where}${metadata === undefined ? '' : error}`);
    }
    if (isUnknown) {
      throw problem('not-signed-in', 'This token is unknown or has expired.');
    }
    next();
  };
}
