import type { RequestHandler } from 'express';

/** Addresses of the release before, kept for one release: answered as what they are called now. */
export const legacyRoutes: RequestHandler = (request, _response, next) => {
  request.url = request.url.replace(/^(\/api\/admin\/skills\/[^/?]+)\/mend(?=\?|$)/, '$1/fix');
  next();
};
