import { healthApi } from '@knowhow/shared/config/health';
import { mcpApi } from '@knowhow/shared/config/mcp';
import type { RequestHandler, Router } from 'express';
import type { SessionTokens } from '../modules/identity/session-tokens.ts';
import type { Cluster } from '../platform/cluster/cluster.ts';
import { isMonitoring } from './observe-requests.ts';
import { limitRequests, windowSeconds } from './rate-limit.ts';
import { rejectForeignPages } from './security.ts';
import { identifyCaller, issueVisitorCookie } from './session.ts';

type IdentifyDependencies = Parameters<typeof identifyCaller>[0] & {
  cluster: Cluster;
  publicUrl: string | undefined;
  tokens: SessionTokens;
};

/** Identifies callers and applies rate limits. Later middleware relies on both. */
export function identifyCallers(
  router: Router,
  dependencies: IdentifyDependencies,
  maxRequests: () => number,
): void {
  const { cluster, publicUrl } = dependencies;
  const identification = [noStore, identifyCaller(dependencies)];
  const requests = limitRequests(cluster.limiter('requests', windowSeconds), maxRequests);
  router.use(
    ['/api', healthApi.metrics.path],
    ...identification,
    skipForMonitoring(keepVisitors(dependencies.tokens)),
    skipForMonitoring(requests),
  );
  router.use(mcpApi.call.path, rejectForeignPages(publicUrl), ...identification, requests);
  router.use(['/v1', mcpApi.anyResource.path], ...identification, requests);
}

const noStore: RequestHandler = (_request, response, next) => {
  response.set('Cache-Control', 'no-store');
  next();
};

function keepVisitors(tokens: SessionTokens): RequestHandler {
  return (request, response, next) => {
    issueVisitorCookie(tokens, request, response);
    next();
  };
}

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
