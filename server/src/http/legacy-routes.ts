import type { RequestHandler } from 'express';

/** Rewrites deprecated paths of the previous release to their current ones, for one release. */
export const legacyRoutes: RequestHandler = (request, _response, next) => {
  request.url = request.url.replace(/^(\/api\/admin\/skills\/[^/?]+)\/mend(?=\?|$)/, '$1/fix');
  next();
};
