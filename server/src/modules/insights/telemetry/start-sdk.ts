import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  detectResources,
  envDetector,
  type Resource,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import {
  MeterProvider,
  MetricReader,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Log } from '../../../platform/lib/log.ts';
import { createTurnCounts } from './count-turn.ts';
import { observeProcess } from './observe-process.ts';
import { createRequestObserver } from './observe-requests.ts';
import type { Running, TelemetryParts } from './telemetry.ts';
import type { Sampling, TelemetrySettings } from './telemetry-settings.ts';
import { traceTurn } from './trace-turn.ts';

const scope = 'knowhow';

/** Starts what the settings require, and metrics in any case. Registers nothing globally. */
export function startSdk({ settings, version, gauges, log }: TelemetryParts): Running {
  const resource = resourceFromAttributes({
    'service.name': 'knowhow',
    'service.version': version,
  }).merge(detectResources({ detectors: [envDetector] }));
  const otlp = settings.otlp && openOtlp(settings.otlp, { resource, log });
  const reader = new OnDemandReader();
  const meters = new MeterProvider({
    resource,
    readers: [reader, ...(otlp ? [otlp.metricReader] : [])],
  });
  const meter = meters.getMeter(scope);
  const tracer = otlp?.tracers.getTracer(scope);
  const countTurn = createTurnCounts(meter);
  const endProcess = observeProcess(meter, gauges);
  return {
    observeTurn: () => (ended) => {
      countTurn(ended);
      if (tracer) {
        traceTurn(tracer, ended);
      }
    },
    observeRequest: createRequestObserver(meter, tracer),
    readMetrics: () => readAll(reader),
    close: () => {
      endProcess();
      return shutDown(otlp?.tracers, meters);
    },
  };
}

/** Collects metrics only on demand. */
class OnDemandReader extends MetricReader {
  protected override onForceFlush(): Promise<void> {
    return Promise.resolve();
  }
  protected override onShutdown(): Promise<void> {
    return Promise.resolve();
  }
}

async function readAll(reader: MetricReader): Promise<string> {
  const { resourceMetrics } = await reader.collect();
  return new PrometheusSerializer('', false, undefined, false, true).serialize(resourceMetrics);
}

async function shutDown(tracers: TracerProvider | undefined, meters: MeterProvider): Promise<void> {
  await Promise.allSettled([tracers?.shutdown(), meters.shutdown()]);
}

interface Otlp {
  tracers: TracerProvider;
  metricReader: PeriodicExportingMetricReader;
}

/** Maximum spans in the export queue; further ones are dropped. */
const maxQueuedSpans = 2048;
/** Maximum length of an attribute value, in characters. */
const maxValueLength = 300;

/** Exports traces and metrics to a collector in the background; a slow or unavailable collector delays nothing. */
function openOtlp(
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
