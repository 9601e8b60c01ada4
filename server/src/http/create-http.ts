import { api } from '@knowhow/shared/api';
import { healthApi } from '@knowhow/shared/health';
import compression from 'compression';
import express, { type Express, type RequestHandler } from 'express';
import type { Accounts } from '../access/accounts.ts';
import type { SessionTokens } from '../access/session-tokens.ts';
import type { TurnDependencies } from '../chat/prepare-turn.ts';
import type { RunningTurns } from '../chat/running-turns.ts';
import type { Log } from '../lib/log.ts';
import type { Database } from '../storage/open-database.ts';
import { apiDocsPage } from './api-docs-page.ts';
import { createFailedLogins } from './failed-logins.ts';
import { openApiDocument } from './openapi.ts';
import { problemHandler, unknownAddress } from './problem-handler.ts';
import { limitRequests } from './rate-limit.ts';
import { authRoutes } from './routes/auth-routes.ts';
import { catalogueRoutes } from './routes/catalogue-routes.ts';
import { chatRoutes } from './routes/chat-routes.ts';
import { conversationRoutes } from './routes/conversation-routes.ts';
import { healthRoutes } from './routes/health-routes.ts';
import { skillRoutes } from './routes/skill-routes.ts';
import { ownOriginOnly, securityHeaders } from './security.ts';
import { serveClient } from './serve-client.ts';
import { identify, keepVisitor } from './session.ts';

export interface HttpDependencies extends TurnDependencies {
  accounts: Accounts;
  tokens: SessionTokens;
  runningTurns: RunningTurns;
  database: Database;
  log: Log;
  host: string;
  publicUrl: string | undefined;
  trustProxy: boolean | number | string;
  /** The built client. */
  clientDirectory: string;
  version: string;
}

const defaultLimits = { requests: 1200, turns: 600, failedLogins: 10 };
/** Above the longest message, so that a longer one is told which field is too long. */
const maxBodyBytes = 4 * 1024 * 1024;

/** The Express application: the order of its lines is the way of a request. */
export function createHttp(dependencies: HttpDependencies): Express {
  const { contents, host, publicUrl, trustProxy, log } = dependencies;
  const limitOf = (kind: keyof typeof defaultLimits) => () =>
    contents().platform.rateLimit?.[kind] ?? defaultLimits[kind];
  const app = express();
  app.disable('x-powered-by');
  app.set('trust proxy', trustProxy);
  app.set('query parser', 'simple');
  app.use(securityHeaders());
  app.use(ownOriginOnly({ host, publicUrl, behindProxy: trustProxy !== false }));
  app.use(compressed());

  const router = express.Router();
  serveApiDocs(router, dependencies.version);
  router.use(
    '/api',
    noStore,
    identify(dependencies),
    keepVisitors(dependencies.tokens),
    limitRequests(limitOf('requests')),
  );
  router.use('/api/apps/:appId/chat/:conversationId', limitTurns(limitOf('turns')));
  router.use('/api', express.json({ limit: maxBodyBytes }));
  healthRoutes(router, dependencies);
  authRoutes(router, {
    ...dependencies,
    failedLogins: createFailedLogins(limitOf('failedLogins')),
  });
  catalogueRoutes(router, dependencies);
  skillRoutes(router, dependencies);
  chatRoutes(router, dependencies);
  conversationRoutes(router, dependencies);
  router.use('/api', unknownAddress);
  serveClient(router, dependencies.clientDirectory);

  app.use(router);
  app.use(problemHandler(log));
  return app;
}

function serveApiDocs(router: express.Router, version: string): void {
  router.get('/api/openapi.json', (_request, response) => {
    response.json(openApiDocument(api, version));
  });
  router.get('/api/docs', (_request, response) => {
    response.type('html').send(apiDocsPage(api));
  });
}

const noStore: RequestHandler = (_request, response, next) => {
  response.set('Cache-Control', 'no-store');
  next();
};

/** Monitoring asks without a cookie, again and again: it needs none. */
function keepVisitors(tokens: SessionTokens): RequestHandler {
  const monitoring = [healthApi.health.path, healthApi.ready.path];
  return (request, response, next) => {
    if (!monitoring.includes(request.baseUrl + request.path)) {
      keepVisitor(tokens, request, response);
    }
    next();
  };
}

/** Only beginning a turn counts as one, not stopping it. */
function limitTurns(limit: () => number): RequestHandler {
  const limiter = limitRequests(limit);
  return (request, response, next) => {
    if (request.method === 'POST' && request.path === '/') {
      return limiter(request, response, next);
    }
    next();
  };
}

/** Compresses what is read, never a stream of events. */
function compressed(): RequestHandler {
  const compress = compression();
  return (request, response, next) => {
    if (request.method === 'GET') {
      compress(request, response, next);
      return;
    }
    next();
  };
}
