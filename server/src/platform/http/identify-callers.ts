import { healthApi } from '@knowhow/shared/config/health';
import { mcpApi } from '@knowhow/shared/config/mcp';
import type { RequestHandler, Router } from 'express';
import type { Cluster } from '../cluster/cluster.ts';
import type { Authenticator } from './authenticator.ts';
import { isMonitoring } from './observe-requests.ts';
import { limitRequests, windowSeconds } from './rate-limit.ts';
import { rejectForeignPages } from './security.ts';
import { authenticateRequests, getSession } from './session.ts';

interface Dependencies {
  authenticators: readonly Authenticator[];
  cluster: Cluster;
  publicUrl: string | undefined;
}

/** Identifies callers and applies rate limits. Later middleware relies on both. */
export function identifyCallers(
  router: Router,
  { authenticators, cluster, publicUrl }: Dependencies,
  maxRequests: () => number,
): void {
  const identification = [noStore, authenticateRequests(authenticators)];
  const requests = limitRequests(cluster.limiter('requests', windowSeconds), maxRequests);
  router.use(
    ['/api', healthApi.metrics.path],
    ...identification,
    skipForMonitoring(setCookies),
    skipForMonitoring(requests),
  );
  router.use(mcpApi.call.path, rejectForeignPages(publicUrl), ...identification, requests);
  router.use(['/v1', mcpApi.anyResource.path], ...identification, requests);
}

const noStore: RequestHandler = (_request, response, next) => {
  response.set('Cache-Control', 'no-store');
  next();
};

const setCookies: RequestHandler = (request, response, next) => {
  getSession(request).setCookies?.(response);
  next();
};

/** Skips middleware for monitoring probes: they poll without cookies and need the current state. */
function skipForMonitoring(handler: RequestHandler): RequestHandler {
  return (request, response, next) => {
    if (isMonitoring(request)) {
      next();
      return;
    }
    return handler(request, response, next);
  };
}
