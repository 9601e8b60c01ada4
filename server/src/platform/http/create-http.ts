import type { PlatformConfig } from '@knowhow/shared/config/platform';
import express, { type Express } from 'express';
import type { Cluster } from '../cluster/cluster.ts';
import type { Log } from '../lib/log.ts';
import type { Authenticator } from './authenticator.ts';
import { compressResponses } from './compress-responses.ts';
import { disconnectSlowReaders, readerTimeout } from './disconnect-slow-readers.ts';
import { identifyCallers } from './identify-callers.ts';
import { bodyTimeout, limitBodyTime } from './limit-bodies.ts';
import { limitTurns } from './limit-turns.ts';
import type { Module } from './module.ts';
import { type ObserveRequest, observeRequests } from './observe-requests.ts';
import {
  type ProblemFormat,
  problemFormats,
  problemHandler,
  type RecordDenial,
  unknownRoute,
} from './problem-handler.ts';
import { assignRequestId } from './request-log-fields.ts';
import { requireValidHost } from './require-valid-host.ts';
import { requireOwnOrigin, securityHeaders } from './security.ts';
import { serveApiDocs } from './serve-api-docs.ts';
import { serveClient } from './serve-client.ts';

/** What the application needs in addition to the services of its routes. */
export interface HttpServices {
  /** Address to listen on. */
  host: string;
  publicUrl: string | undefined;
  trustProxy: boolean | number | string;
  version: string;
  /** The built client. */
  clientDirectory: string;
  log: Log;
  cluster: Cluster;
  contents: () => Configuration;
  authenticators: readonly Authenticator[];
  proxySignIn: { isOn: () => boolean };
  telemetry: { observeRequest: ObserveRequest };
  recordDenial: RecordDenial;
  /** Error formats of other protocols. */
  problemFormats: readonly ProblemFormat[];
  /** Origins that may embed the chat of an app, or of any app if no ID is given. */
  embedders: (app?: string) => string[];
}

interface Configuration {
  platform: PlatformConfig;
}

type RateLimit = 'requests' | 'turns' | 'failedLogins' | 'streams';

/** The current rate limit of one kind, per minute and caller. */
export function rateLimitOf(contents: () => Configuration, kind: RateLimit): () => number {
  return () => contents().platform.rateLimit[kind];
}

/** The Express application with the routes of all modules. Middleware order matters. */
export function createHttp<Services extends HttpServices>(
  modules: readonly Module<Services>[],
  services: Services,
): Express {
  const { contents, cluster, host, publicUrl, trustProxy, log } = services;
  const limitOf = (kind: RateLimit) => rateLimitOf(contents, kind);
  const app = express();
  app.disable('x-powered-by');
  // `If-Match` takes a resource's own checksum, and browsers cache no API response.
  app.disable('etag');
  app.set('trust proxy', trustProxy);
  app.set('query parser', 'simple');
  // Enough for 4 MiB over a slow connection; uploads have their own minimum rate.
  app.set(bodyTimeout, 30_000);
  app.set(readerTimeout, 60_000);
  app.set(problemFormats, services.problemFormats);
  app.use(assignRequestId);
  app.use(observeRequests({ log, observe: services.telemetry.observeRequest }));
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
  serveClient(router, { ...services, settings: () => pageSettings(contents()) });

  app.use(router);
  app.use(problemHandler(services));
  return app;
}

function pageSettings({ platform }: Configuration) {
  return {
    isInstallable: platform.installable,
    imageHosts: platform.answers.imageHosts,
  };
}
