import { healthApi } from '@knowhow/shared/config/health';
import { mcpApi } from '@knowhow/shared/config/mcp';
import type { RequestHandler, Router } from 'express';
import type { SessionTokens } from '../access/session-tokens.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { isMonitoring } from './observe-requests.ts';
import { limitRequests, windowSeconds } from './rate-limit.ts';
import { ownPagesOnly } from './security.ts';
import { identify, keepVisitor } from './session.ts';

type IdentifyDependencies = Parameters<typeof identify>[0] & {
  cluster: Cluster;
  publicUrl: string | undefined;
  tokens: SessionTokens;
};

/** Who asks is known from here on, and how often. */
export function identifyCallers(
  router: Router,
  dependencies: IdentifyDependencies,
  mostRequests: () => number,
): void {
  const { cluster, publicUrl } = dependencies;
  const whoAsks = [noStore, identify(dependencies)];
  const requests = limitRequests(cluster.limiter('requests', windowSeconds), mostRequests);
  router.use(
    ['/api', healthApi.metrics.path],
    ...whoAsks,
    skipForMonitoring(keepVisitors(dependencies.tokens)),
    skipForMonitoring(requests),
  );
  router.use(mcpApi.call.path, ownPagesOnly(publicUrl), ...whoAsks, requests);
  router.use(['/v1', mcpApi.anyResource.path], ...whoAsks, requests);
}

const noStore: RequestHandler = (_request, response, next) => {
  response.set('Cache-Control', 'no-store');
  next();
};

function keepVisitors(tokens: SessionTokens): RequestHandler {
  return (request, response, next) => {
    keepVisitor(tokens, request, response);
    next();
  };
}

/** Monitoring asks again and again, without a cookie: it needs none, and gets the current state. */
function skipForMonitoring(handler: RequestHandler): RequestHandler {
  return (request, response, next) => {
    if (isMonitoring(request)) {
      next();
      return;
    }
    return handler(request, response, next);
  };
}
