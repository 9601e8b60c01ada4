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
import type { Log } from '../lib/log.ts';
import type { Sampling, TelemetrySettings } from './telemetry-settings.ts';

interface Otlp {
  tracers: TracerProvider;
  metricReader: PeriodicExportingMetricReader;
}

/** Spans that wait to be sent; those beyond are lost. */
const mostWaiting = 2048;
/** Of a name, in characters. */
const longestValue = 300;

/** What sends traces and metrics to a collector, which may be slow or away: nobody waits for it. */
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
    maxQueueSize: mostWaiting,
    exportTimeoutMillis: timeoutMs,
  });
  const tracers = new TracerProvider({
    resource,
    sampler: samplerOf(sampling),
    spanProcessors: [processor],
    spanLimits: { attributeValueLengthLimit: longestValue },
  });
  const metricReader = new PeriodicExportingMetricReader({
    exporter: metrics,
    exportIntervalMillis: metricsEveryMs,
    exportTimeoutMillis: Math.min(timeoutMs, metricsEveryMs),
  });
  return { tracers, metricReader };
}

function samplerOf({ byParent, ratio }: Sampling): Sampler {
  const root = new TraceIdRatioBasedSampler(ratio);
  return byParent ? new ParentBasedSampler({ root }) : root;
}

interface Exporter<Items> {
  export(items: Items, done: (result: { code: number; error?: Error }) => void): void;
}

/** Has the log say once that something does not arrive, and once that it does again. */
function logFailures<Items>(exporter: Exporter<Items>, what: string, log: Log): void {
  const send = exporter.export.bind(exporter);
  let fails = false;
  exporter.export = (items, done) =>
    send(items, (result) => {
      const hasFailed = result.code !== 0;
      if (hasFailed && !fails) {
        log.warn({ error: result.error }, `${what} cannot be sent (OTEL_EXPORTER_OTLP_ENDPOINT)`);
      } else if (fails && !hasFailed) {
        log.info(`${what} are sent again`);
      }
      fails = hasFailed;
      done(result);
    });
}
