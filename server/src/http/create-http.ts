import express, { type Express } from 'express';
import type { Contents } from '../modules/content/contents.ts';
import { compressResponses } from './compress-responses.ts';
import { disconnectSlowReaders, readerTimeout } from './disconnect-slow-readers.ts';
import { identifyCallers } from './identify-callers.ts';
import { bodyTimeout, limitBodyTime } from './limit-bodies.ts';
import { limitTurns } from './limit-turns.ts';
import type { Module } from './module.ts';
import { observeRequests } from './observe-requests.ts';
import { problemHandler, unknownRoute } from './problem-handler.ts';
import { assignRequestId } from './request-log-fields.ts';
import { requireValidHost } from './require-valid-host.ts';
import { requireOwnOrigin, securityHeaders } from './security.ts';
import { serveApiDocs } from './serve-api-docs.ts';
import { serveClient } from './serve-client.ts';

/** What the application needs in addition to the services of its routes. */
export type HttpServices = Parameters<typeof identifyCallers>[1] &
  Parameters<typeof observeRequests>[0] &
  Parameters<typeof serveClient>[1] & {
    /** Address to listen on. */
    host: string;
    trustProxy: boolean | number | string;
    version: string;
    accessAudit: Parameters<typeof problemHandler>[1];
  };

const defaultLimits = { requests: 1200, turns: 600, failedLogins: 10, streams: 100 };

/** The current rate limit of one kind, per minute and caller. */
export function rateLimitOf(
  contents: () => Contents,
  kind: keyof typeof defaultLimits,
): () => number {
  return () => contents().platform.rateLimit?.[kind] ?? defaultLimits[kind];
}

/** The Express application with the routes of all modules. Middleware order matters. */
export function createHttp<Services extends HttpServices>(
  modules: readonly Module<Services>[],
  services: Services,
): Express {
  const { contents, cluster, host, publicUrl, trustProxy, log } = services;
  const limitOf = (kind: keyof typeof defaultLimits) => rateLimitOf(contents, kind);
  const app = express();
  app.disable('x-powered-by');
  // `If-Match` takes a resource's own checksum, and browsers cache no API response.
  app.disable('etag');
  app.set('trust proxy', trustProxy);
  app.set('query parser', 'simple');
  // Enough for 4 MiB over a slow connection; uploads have their own minimum rate.
  app.set(bodyTimeout, 30_000);
  app.set(readerTimeout, 60_000);
  app.use(assignRequestId);
  app.use(observeRequests(services));
  app.use(limitBodyTime);
  app.use(disconnectSlowReaders);
  app.use(securityHeaders(publicUrl));
  app.use(requireValidHost);
  const { isOn: isSignedInByProxy } = services.proxySignIn;
  const behindProxy = trustProxy !== false;
  app.use(requireOwnOrigin({ host, publicUrl, behindProxy, isSignedInByProxy }));
  app.use(compressResponses());

  const router = express.Router();
  serveApiDocs(router, services.version);
  identifyCallers(router, services, limitOf('requests'));
  limitTurns(router, cluster, limitOf);
  for (const { routes } of modules) {
    for (const addRoutes of routes) {
      addRoutes(router, services);
    }
  }
  router.use(['/api', '/v1'], unknownRoute);
  serveClient(router, services);

  app.use(router);
  app.use(problemHandler(log, services.accessAudit));
  return app;
}
