import { healthApi } from '@knowhow/shared/config/health';
import type { ProblemCode } from '@knowhow/shared/problem';
import type { Request, RequestHandler } from 'express';
import type { Log } from '../lib/log.ts';
import { addressBlock } from './address-block.ts';
import { isDenial } from './denied-request.ts';
import { isApiPath } from './is-api-path.ts';
import { addLogFields, getLogFields } from './request-log-fields.ts';

const monitoring = [healthApi.health.path, healthApi.ready.path, healthApi.metrics.path];
const probes: readonly string[] = [healthApi.health.path, healthApi.ready.path];
const parents = new WeakMap<Request, string>();

/** Whether the request comes from monitoring, which polls. */
export function isMonitoring(request: Request): boolean {
  return monitoring.includes(request.baseUrl + request.path);
}

/**
 * Whether a load balancer or orchestrator probes this server, with any Host header or none (HTTP/1.0). The
 * response is not secret, so the host is not checked.
 */
export function isProbe({ method, path }: Request): boolean {
  return ['GET', 'HEAD'].includes(method) && probes.includes(path);
}

/** The parent of spans within this request; undefined if tracing is off. */
export function getTraceparent(request: Request): string | undefined {
  return parents.get(request);
}

/** Measures a request. Returns undefined unless anything is measured. */
export type ObserveRequest = (request: {
  /** The `traceparent` header. */
  traceparent: string | undefined;
  method: string;
  isSecure: boolean;
  /** Whether it gets a span, in addition to metrics. */
  isTraced: boolean;
}) =>
  | {
      /** Parent for child spans, as a W3C Trace Context `traceparent` header. */
      traceparent?: string;
      end(answer: Omit<Ended, 'isCutOff'>): void;
    }
  | undefined;

interface Dependencies {
  log: Log;
  observe: ObserveRequest;
}

/** Logs each request in one line, and records metrics and a trace if telemetry is on. */
export function observeRequests({ log, observe }: Dependencies): RequestHandler {
  return (request, response, next) => {
    const logRequest = startRequestLog(log, request);
    const observed = observe({
      traceparent: request.get('traceparent'),
      method: request.method,
      isSecure: request.secure,
      isTraced: request.path.startsWith('/api/') && !isMonitoring(request),
    });
    if (observed?.traceparent !== undefined) {
      parents.set(request, observed.traceparent);
      addLogFields(request, { trace_id: observed.traceparent.split('-')[1] ?? '' });
    }
    // A streamed response has almost as many listeners as Node allows without a warning.
    response.setMaxListeners(response.getMaxListeners() + 1);
    response.once('close', () => {
      const route = getRoute(request);
      const status = response.headersSent ? response.statusCode : undefined;
      const denied = getDenialCode(request);
      observed?.end({ route, status, denied });
      logRequest({ route, status, denied, isCutOff: !response.writableFinished });
    });
    next();
  };
}

/** The route pattern, with parameter names: low cardinality for metrics. */
export function getRoute({ route }: Request): string | undefined {
  const path: unknown = route?.path;
  return typeof path === 'string' ? path : undefined;
}

/** The code of the problem that was answered, if it denied access. */
export function getDenialCode(request: Request): ProblemCode | undefined {
  const { code, hidesNothing: isKnown = false } = getLogFields(request);
  const route = getRoute(request);
  // An unknown path hides nothing. On administration routes, permissions have been checked before.
  const hidesNothing = isKnown || route === undefined || route.startsWith('/api/admin/');
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
 * Returns a function that logs the request: at `info`, or at `debug` for monitoring and client files. It logs
 * no query, header or body, and the route pattern instead of the path, which may contain secrets.
 */
function startRequestLog(log: Log, request: Request): (ended: Ended) => void {
  const { method, path, socket } = request;
  const startedAt = performance.now();
  const bytesBefore = socket.bytesWritten;
  const isQuiet = isMonitoring(request) || !isApiPath(path);
  return ({ route, status, denied, isCutOff }) => {
    const isFailed = status === undefined || status >= 400;
    const { request: id, user, trace_id, code } = getLogFields(request);
    const fields = {
      request: id,
      user,
      trace_id,
      code,
      method,
      route,
      status,
      ms: Math.round(performance.now() - startedAt),
      bytes: socket.bytesWritten - bytesBefore,
      ...(isCutOff ? { cutOff: true } : {}),
    };
    if (denied !== undefined) {
      log.info({ ...fields, address: addressBlock(request) }, 'access denied');
    } else if (isQuiet && !isFailed) {
      log.debug(fields, 'request');
    } else {
      log.info(fields, 'request');
    }
  };
}
