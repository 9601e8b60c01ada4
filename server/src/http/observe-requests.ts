import { healthApi } from '@knowhow/shared/config/health';
import type { ProblemCode } from '@knowhow/shared/problem';
import type { Request, RequestHandler } from 'express';
import { isDenial } from '../access/access-audit.ts';
import type { Log } from '../lib/log.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import { addressBlock } from './address-block.ts';
import { addFacts, factsOf } from './request-facts.ts';

const monitoring = [healthApi.health.path, healthApi.ready.path, healthApi.metrics.path];
const probes: readonly string[] = [healthApi.health.path, healthApi.ready.path];
const parents = new WeakMap<Request, string>();

/** Whether it comes from monitoring, which asks again and again. */
export function isMonitoring(request: Request): boolean {
  return monitoring.includes(request.baseUrl + request.path);
}

/**
 * Whether a load balancer or an orchestrator probes this server: with any host, or none (HTTP/1.0). The answer carries nothing secret, so
 * that no check of the host is needed.
 */
export function isProbe({ method, path }: Request): boolean {
  return ['GET', 'HEAD'].includes(method) && probes.includes(path);
}

/** What a part of the request names as its parent; undefined where no traces are wanted. */
export function traceparentOf(request: Request): string | undefined {
  return parents.get(request);
}

interface Observing {
  telemetry: Telemetry;
  log: Log;
}

/** Writes one line of the log for each request, and counts and traces it if telemetry is on. */
export function observeRequests({ telemetry, log }: Observing): RequestHandler {
  return (request, response, next) => {
    const logRequest = beginLine(log, request);
    const observed = telemetry.observeRequest({
      traceparent: request.get('traceparent'),
      method: request.method,
      isSecure: request.secure,
      isTraced: request.path.startsWith('/api/') && !isMonitoring(request),
    });
    if (observed?.traceparent !== undefined) {
      parents.set(request, observed.traceparent);
      addFacts(request, { trace_id: observed.traceparent.split('-')[1] ?? '' });
    }
    // A streamed response has almost as many listeners as Node allows without a warning.
    response.setMaxListeners(response.getMaxListeners() + 1);
    response.once('close', () => {
      const route = routeOf(request);
      const status = response.headersSent ? response.statusCode : undefined;
      const denied = denialOf(request);
      observed?.end({ route, status, denied });
      logRequest({ route, status, denied, isCutOff: !response.writableFinished });
    });
    next();
  };
}

/** As the contract writes it, with the names of its parameters: there are not too many of them. */
export function routeOf({ route }: Request): string | undefined {
  const path: unknown = route?.path;
  return typeof path === 'string' ? path : undefined;
}

/** The code of the problem that was answered, if it denied access. */
export function denialOf(request: Request): ProblemCode | undefined {
  const { code } = factsOf(request);
  const route = routeOf(request);
  // An address without a contract hides nothing. On administration routes, rights have been checked before.
  const hidesNothing = route === undefined || route.startsWith('/api/admin/');
  const isMissing = code === 'not-found' && hidesNothing;
  return code !== undefined && isDenial(code) && !isMissing ? code : undefined;
}

interface Ended {
  route: string | undefined;
  status: number | undefined;
  denied: ProblemCode | undefined;
  /** The connection closed before the response was complete. */
  isCutOff: boolean;
}

/**
 * Returns what writes the line of a request: at `info`, or at `debug` for monitoring and for files of the client. A line has no query, no
 * header, no body, and the route pattern in place of the path, since paths may contain secrets.
 */
function beginLine(log: Log, request: Request): (ended: Ended) => void {
  const { method, path, socket } = request;
  const began = performance.now();
  const bytesBefore = socket.bytesWritten;
  const isQuiet = isMonitoring(request) || !isApi(path);
  return ({ route, status, denied, isCutOff }) => {
    const isFailed = status === undefined || status >= 400;
    const { request: id, user, trace_id, code } = factsOf(request);
    const line = {
      ...{ request: id, user, trace_id, code },
      ...{ method, route, status },
      ms: Math.round(performance.now() - began),
      bytes: socket.bytesWritten - bytesBefore,
      ...(isCutOff ? { cutOff: true } : {}),
    };
    if (denied !== undefined) {
      log.info({ ...line, address: addressBlock(request) }, 'access denied');
    } else if (isQuiet && !isFailed) {
      log.debug(line, 'request');
    } else {
      log.info(line, 'request');
    }
  };
}

/** Everything else is the client: its files and pages. */
function isApi(path: string): boolean {
  return /^\/(?:api|v1|mcp|metrics|\.well-known)(?:\/|$)/.test(path);
}
