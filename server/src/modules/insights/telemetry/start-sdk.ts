import { PrometheusSerializer } from '@opentelemetry/exporter-prometheus';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { MeterProvider, MetricReader } from '@opentelemetry/sdk-metrics';
import type { TracerProvider } from '@opentelemetry/sdk-trace';
import { createTurnCounts } from './count-turn.ts';
import { observeProcess } from './observe-process.ts';
import { createRequestObserver } from './observe-requests.ts';
import { openOtlp } from './open-otlp.ts';
import type { Running, TelemetryParts } from './telemetry.ts';
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
