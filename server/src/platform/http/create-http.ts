import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { api } from '@knowhow/shared/api';
import { chatApi } from '@knowhow/shared/chat/chat';
import { openaiApi } from '@knowhow/shared/chat/openai';
import { openaiResponsesApi } from '@knowhow/shared/chat/openai-responses';
import { healthApi } from '@knowhow/shared/config/health';
import { mcpApi } from '@knowhow/shared/config/mcp';
import type { PlatformConfig } from '@knowhow/shared/config/platform';
import type { AnyEndpoint } from '@knowhow/shared/endpoint';
import { escapeXml } from '@knowhow/shared/escape-xml';
import { problem } from '@knowhow/shared/problem';
import { conversationSkillApi } from '@knowhow/shared/skills/conversation-skill';
import { triggerTestsApi } from '@knowhow/shared/skills/trigger-tests';
import compression from 'compression';
import type { RequestHandler, Router } from 'express';
import express, { type Express } from 'express';
import { z } from 'zod';
import type { Cluster } from '../cluster/cluster.ts';
import { createPauses } from '../lib/create-pauses.ts';
import type { Log } from '../lib/log.ts';
import { sha256 } from '../lib/sha256.ts';
import type { Authenticator } from './authenticator.ts';
import { csrfProtection, rejectForeignPages } from './csrf-protection.ts';
import { disconnectSlowReaders, readerTimeout } from './disconnect-slow-readers.ts';
import { bodyTimeout, limitBodyTime, uploadTimeout } from './limit-bodies.ts';
import { limitStreams } from './limit-streams.ts';
import type { Module } from './module.ts';
import { isMonitoring, isProbe, type ObserveRequest, observeRequests } from './observe-requests.ts';
import { openApiDocument } from './openapi.ts';
import { plainPage } from './plain-page.ts';
import {
  type ProblemFormat,
  problemFormats,
  problemHandler,
  type RecordDenial,
  unknownRoute,
} from './problem-handler.ts';
import { limitRequests, windowSeconds } from './rate-limit.ts';
import { reservedDisk } from './read-upload-to-file.ts';
import { assignRequestId } from './request-log-fields.ts';
import { securityHeaders } from './security-headers.ts';
import { serveClient } from './serve-client.ts';
import { authenticateRequests, getSession } from './session.ts';

/** Services that the application needs in addition to those of its routes. */
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
  app.set(uploadTimeout, 20 * 60_000);
  app.set(reservedDisk, 64 * 1024 * 1024);
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
  app.use(csrfProtection({ host, publicUrl, behindProxy, isSignedInByProxy }));
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
  router.use(['/api', '/v1', '/.well-known', '/git'], unknownRoute);
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

/** Compresses GET responses. Event streams opt out with `no-transform`. */
function compressResponses(): RequestHandler {
  const compress = compression();
  return (request, response, next) => {
    if (request.method === 'GET') {
      compress(request, response, next);
      return;
    }
    next();
  };
}

/** A host name or IP address with optional port. */
const hostPattern = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/** Rejects requests whose Host header is missing, duplicated or malformed. */
const requireValidHost: RequestHandler = (request, _response, next) => {
  // Undefined in HTTP/1.0, despite its type.
  const host: string | undefined = request.host;
  const hostCount = request.headersDistinct.host?.length ?? 0;
  if (isProbe(request)) {
    next();
    return;
  }
  if (host === undefined || hostCount > 1 || !hostPattern.test(host)) {
    throw problem(
      'bad-request',
      'The request must name one host, such as "Host: know.example.org".',
    );
  }
  next();
};

/** Serves the API description for machines and for people. It never changes while the server runs. */
function serveApiDocs(router: Router, version: string): void {
  router.get(
    '/api/openapi.json',
    serveText('application/json', async () => JSON.stringify(await openApiDocument(api, version))),
  );
  router.get(
    '/api/docs',
    serveText('text/html', () => apiDocsPage(api)),
  );
}

/** Generated and compressed once, on first use. */
function serveText(type: string, make: () => Promise<string>): RequestHandler {
  let made: ReturnType<typeof pack> | undefined;
  return async (request, response) => {
    made ??= make().then(pack);
    const { plain, packed, tag } = await made;
    response.set({ 'Cache-Control': 'no-cache', ETag: tag }).vary('Accept-Encoding').type(type);
    if (request.acceptsEncodings('gzip') === 'gzip') {
      response.set('Content-Encoding', 'gzip').send(packed);
      return;
    }
    response.send(plain);
  };
}

async function pack(text: string): Promise<{ plain: string; packed: Buffer; tag: string }> {
  const digest = sha256(text, 'base64url');
  // Weak: one ETag for the plain and the compressed variant.
  return { plain: text, packed: await promisify(gzip)(text), tag: `W/"${digest}"` };
}

type Limits = (kind: 'turns' | 'streams') => () => number;

/** Limits starting turns, following turns and trigger tests, but not stopping a turn. */
function limitTurns(router: Router, cluster: Cluster, limitOf: Limits): void {
  const turns = limitRequests(cluster.limiter('turns', windowSeconds), limitOf('turns'));
  const limitConcurrent = (name: string, tooMany: (most: number) => string) =>
    limitStreams(cluster.slots(name), limitOf('streams'), tooMany);
  router.post(
    [
      chatApi.turn.path,
      chatApi.compare.path,
      conversationSkillApi.write.path,
      openaiApi.complete.path,
      openaiResponsesApi.create.path,
    ],
    turns,
    limitConcurrent(
      'streams',
      (most) => `${most} answers of yours are in progress. Wait for one to finish, or stop one.`,
    ),
  );
  router.get(
    chatApi.follow.path,
    limitConcurrent(
      'readers',
      (most) => `You are already following ${most} answers. Close one of them.`,
    ),
  );
  limitTriggerRuns(router, cluster);
}

/** Each test run makes hundreds of model requests. */
const maxTriggerRuns = 2;

function limitTriggerRuns(router: Router, cluster: Cluster): void {
  const slots = cluster.slots('trigger tests');
  const tooMany = (most: number) =>
    `${most} runs of yours are in progress. Wait for one to finish, or stop one.`;
  router.post(
    triggerTestsApi.run.path,
    limitStreams(slots, () => maxTriggerRuns, tooMany),
  );
}

interface Dependencies {
  authenticators: readonly Authenticator[];
  cluster: Cluster;
  publicUrl: string | undefined;
}

/** Identifies callers and applies rate limits. Later middleware relies on both. */
function identifyCallers(
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
  const programs = [mcpApi.call.path, '/git'];
  router.use(programs, rejectForeignPages(publicUrl), ...identification, requests);
  router.use(['/v1', '/.well-known'], ...identification, requests);
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

/** Maximum time on the main thread before yielding, in milliseconds. */
const sliceMs = 10;

/**
 * A human-readable page that lists every endpoint and its schemas. Works without scripts. Yields to other
 * requests between endpoints.
 */
async function apiDocsPage(api: Record<string, Record<string, AnyEndpoint>>): Promise<string> {
  const pause = createPauses(sliceMs);
  const areas: string[] = [];
  for (const [area, endpoints] of Object.entries(api)) {
    let described = '';
    for (const endpoint of Object.values(endpoints)) {
      described += describe(endpoint);
      await pause();
    }
    areas.push(`<section><h2>${escapeXml(area)}</h2>${described}</section>`);
  }
  return plainPage(
    { title: 'Knowhow API', language: 'en' },
    `<p>For machines: <a href="/api/openapi.json">openapi.json</a> (OpenAPI 3.1). Errors are problem details (RFC 9457).</p>
${areas.join('\n')}`,
  );
}

function describe(endpoint: AnyEndpoint): string {
  const shapes: [string, z.ZodType, 'input' | 'output'][] = [
    ['Path', endpoint.params, 'input'],
    ['Query', endpoint.query, 'input'],
    ['Body', endpoint.body, 'input'],
    endpoint.kind === 'stream'
      ? ['Events', endpoint.event, 'output']
      : ['Answer', endpoint.response, 'output'],
  ];
  return `<details><summary><span class="method">${endpoint.method}</span> <code>${escapeXml(endpoint.path)}</code>
<span class="access">${endpoint.access}</span><br>${escapeXml(endpoint.summary)}</summary>
${shapes.map(([title, schema, io]) => shape(title, schema, io)).join('')}</details>`;
}

function shape(title: string, schema: z.ZodType, io: 'input' | 'output'): string {
  const { $schema: _draft, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  const empty =
    Object.keys(rest).length === 0 ||
    (rest.type === 'object' && Object.keys(rest.properties ?? {}).length === 0);
  return empty
    ? ''
    : `<h3>${title}</h3><pre tabindex="0">${escapeXml(JSON.stringify(rest, null, 2))}</pre>`;
}
