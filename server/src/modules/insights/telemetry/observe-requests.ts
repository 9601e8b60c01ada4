import {
  type Attributes,
  type Meter,
  SpanKind,
  SpanStatusCode,
  type Tracer,
} from '@opentelemetry/api';
import type { Running } from './telemetry.ts';
import { formatTraceparent, parseTraceparent } from './trace-parent.ts';

const seconds = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
const methods: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
]);

/**
 * Creates an observer that measures and traces HTTP requests.
 *
 * @param tracer undefined if tracing is off
 */
export function createRequestObserver(
  meter: Meter,
  tracer: Tracer | undefined,
): Running['observeRequest'] {
  const durations = meter.createHistogram('http.server.request.duration', {
    unit: 's',
    description: 'Requests to this server; a streamed answer counts to its end.',
    advice: { explicitBucketBoundaries: seconds },
  });
  const denials = meter.createCounter('knowhow.access.denied', {
    unit: '{request}',
    description: 'Requests that were denied access.',
  });
  return ({ traceparent, method, isSecure, isTraced }) => {
    const began = performance.now();
    const attributes: Attributes = {
      'http.request.method': methods.has(method) ? method : '_OTHER',
      'url.scheme': isSecure ? 'https' : 'http',
    };
    const span =
      isTraced && tracer
        ? tracer.startSpan(
            method,
            { kind: SpanKind.SERVER, attributes },
            parseTraceparent(traceparent),
          )
        : undefined;
    return {
      ...(span ? { traceparent: formatTraceparent(span.spanContext()) } : {}),
      end: ({ route, status, denied }) => {
        const found: Attributes = {
          ...(route === undefined ? {} : { 'http.route': route }),
          ...(status === undefined ? {} : { 'http.response.status_code': status }),
          ...(status !== undefined && status >= 500 ? { 'error.type': String(status) } : {}),
        };
        durations.record((performance.now() - began) / 1000, { ...attributes, ...found });
        if (denied !== undefined) {
          denials.add(1, {
            ...(route === undefined ? {} : { 'http.route': route }),
            'knowhow.access.reason': denied,
          });
        }
        span?.updateName(route === undefined ? method : `${method} ${route}`);
        span?.setAttributes(found);
        if (found['error.type'] !== undefined) {
          span?.setStatus({ code: SpanStatusCode.ERROR });
        }
        span?.end();
      },
    };
  };
}
