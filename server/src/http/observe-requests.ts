import { healthApi } from '@knowhow/shared/config/health';
import type { Request, RequestHandler } from 'express';
import type { Telemetry } from '../telemetry/telemetry.ts';
import { addFacts } from './request-facts.ts';

const monitoring = [healthApi.health.path, healthApi.ready.path, healthApi.metrics.path];
const parents = new WeakMap<Request, string>();

/** Whether it comes from monitoring, which asks again and again. */
export function isMonitoring(request: Request): boolean {
  return monitoring.includes(request.baseUrl + request.path);
}

/** What a part of the request names as its parent; undefined where no traces are wanted. */
export function traceparentOf(request: Request): string | undefined {
  return parents.get(request);
}

/** Lets each request be counted and traced, as long as somebody wants that. */
export function observeRequests(telemetry: Telemetry): RequestHandler {
  return (request, response, next) => {
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
    if (observed) {
      // What is streamed has almost as many listeners as Node allows without a warning.
      response.setMaxListeners(response.getMaxListeners() + 1);
      response.once('close', () => {
        const status = response.headersSent ? response.statusCode : undefined;
        observed.end({ route: routeOf(request), status });
      });
    }
    next();
  };
}

/** As the contract writes it, with the names of its parameters: there are not too many of them. */
function routeOf({ route }: Request): string | undefined {
  const path: unknown = route?.path;
  return typeof path === 'string' ? path : undefined;
}
