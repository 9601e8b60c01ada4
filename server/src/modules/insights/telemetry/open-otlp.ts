import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import type { Resource } from '@opentelemetry/resources';
import { PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Log } from '../../../platform/lib/log.ts';
import type { Sampling, TelemetrySettings } from './telemetry-settings.ts';

interface Otlp {
  tracers: TracerProvider;
  metricReader: PeriodicExportingMetricReader;
}

/** Maximum spans in the export queue; further ones are dropped. */
const maxQueuedSpans = 2048;
/** Maximum length of an attribute value, in characters. */
const maxValueLength = 300;

/** Exports traces and metrics to a collector in the background; a slow or unavailable collector delays nothing. */
export function openOtlp(
  { endpoint, sampling, metricsEveryMs, timeoutMs }: NonNullable<TelemetrySettings['otlp']>,
  { resource, log }: { resource: Resource; log: Log },
): Otlp {
  const spans = new OTLPTraceExporter({ url: `${endpoint}/v1/traces`, timeoutMillis: timeoutMs });
  const metrics = new OTLPMetricExporter({
    url: `${endpoint}/v1/metrics`,
    timeoutMillis: timeoutMs,
  });
  logFailures(spans, 'traces', log);
  logFailures(metrics, 'metrics', log);
  const processor = new BatchSpanProcessor({
    exporter: spans,
    scheduledDelayMillis: 1000,
    maxQueueSize: maxQueuedSpans,
    exportTimeoutMillis: timeoutMs,
  });
  const tracers = new TracerProvider({
    resource,
    sampler: createSampler(sampling),
    spanProcessors: [processor],
    spanLimits: { attributeValueLengthLimit: maxValueLength },
  });
  const metricReader = new PeriodicExportingMetricReader({
    exporter: metrics,
    exportIntervalMillis: metricsEveryMs,
    exportTimeoutMillis: Math.min(timeoutMs, metricsEveryMs),
  });
  return { tracers, metricReader };
}

function createSampler({ byParent, ratio }: Sampling): Sampler {
  const root = new TraceIdRatioBasedSampler(ratio);
  return byParent ? new ParentBasedSampler({ root }) : root;
}

interface Exporter<Items> {
  export(items: Items, done: (result: { code: number; error?: Error }) => void): void;
}

/** Logs when exports start to fail, and when they succeed again. */
function logFailures<Items>(exporter: Exporter<Items>, what: string, log: Log): void {
  const send = exporter.export.bind(exporter);
  let isFailing = false;
  exporter.export = (items, done) =>
    send(items, (result) => {
      const hasFailed = result.code !== 0;
      if (hasFailed && !isFailing) {
        log.warn({ error: result.error }, `${what} cannot be sent (OTEL_EXPORTER_OTLP_ENDPOINT)`);
      } else if (isFailing && !hasFailed) {
        log.info(`${what} are sent again`);
      }
      isFailing = hasFailed;
      done(result);
    });
}
