import { isLoopbackHost } from '../../../platform/lib/is-loopback-host.ts';

/** Destinations of traces and metrics; undefined ones are off. */
export interface TelemetrySettings {
  otlp: OtlpSettings | undefined;
  /** Address at which Prometheus reads metrics without authentication. */
  metrics: { host: string; port: number } | undefined;
  /** Warnings for the operator. */
  warnings: string[];
}

interface OtlpSettings {
  /** URL of a collector, without a trailing slash and `/v1/traces`. */
  endpoint: string;
  sampling: Sampling;
  /** Export interval of metrics in milliseconds. */
  metricsEveryMs: number;
  /** Timeout of an export in milliseconds, including retries. */
  timeoutMs: number;
}

/** Which traces that start here are recorded; those that start elsewhere follow their parent. */
export interface Sampling {
  /** Whether the request's parent decides. */
  byParent: boolean;
  /** Sampling ratio for all others, from 0 to 1. */
  ratio: number;
}

const defaultSampling: Sampling = { byParent: true, ratio: 1 };

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Reads the `OTEL_…` variables. Invalid ones only cause warnings and are ignored, because they are often set for a
 * whole machine. The endpoint enables traces.
 */
export function readTelemetrySettings(
  variables: Variables,
  { METRICS_PORT: port, METRICS_HOST: host }: { METRICS_PORT?: number; METRICS_HOST: string },
): TelemetrySettings {
  const metrics = port === undefined ? undefined : { host, port };
  const warnings: string[] = [];
  const warn: Warn = (name, takes) => {
    warnings.push(`${name} is wrong and has no effect: it takes ${takes}.`);
  };
  if (metrics && !isLoopbackHost(host)) {
    warnings.push(
      `Anyone who reaches port ${port} on ${host} can read the metrics (METRICS_HOST).`,
    );
  }
  return { otlp: readOtlp(variables, warn, warnings), metrics, warnings };
}

type Warn = (name: string, takes: string) => void;

function readOtlp(variables: Variables, warn: Warn, warnings: string[]): OtlpSettings | undefined {
  const written = variables.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (written === undefined || variables.OTEL_SDK_DISABLED?.toLowerCase() === 'true') {
    return undefined;
  }
  const endpoint = URL.canParse(written) ? new URL(written) : undefined;
  if (!endpoint || !/^https?:$/.test(endpoint.protocol)) {
    warn('OTEL_EXPORTER_OTLP_ENDPOINT', 'an http or https address');
    return undefined;
  }
  const protocol = variables.OTEL_EXPORTER_OTLP_PROTOCOL;
  if (protocol !== undefined && protocol !== 'http/json') {
    warnings.push(
      `OTEL_EXPORTER_OTLP_PROTOCOL=${protocol} has no effect: traces and metrics are sent as JSON over HTTP. The endpoint has to take that, as a collector does on port 4318.`,
    );
  }
  return {
    endpoint: written.replace(/\/+$/, ''),
    sampling: readSampling(variables, warn),
    metricsEveryMs: readMs('OTEL_METRIC_EXPORT_INTERVAL', 60_000, variables, warn),
    timeoutMs: readMs('OTEL_EXPORTER_OTLP_TIMEOUT', 10_000, variables, warn),
  };
}

const samplers: Readonly<Record<string, (ratio: number) => Sampling>> = {
  always_on: () => ({ byParent: false, ratio: 1 }),
  always_off: () => ({ byParent: false, ratio: 0 }),
  traceidratio: (ratio) => ({ byParent: false, ratio }),
  parentbased_always_on: () => ({ byParent: true, ratio: 1 }),
  parentbased_always_off: () => ({ byParent: true, ratio: 0 }),
  parentbased_traceidratio: (ratio) => ({ byParent: true, ratio }),
};

function readSampling(
  { OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: argument = '1' }: Variables,
  warn: Warn,
): Sampling {
  if (name === undefined) {
    return defaultSampling;
  }
  const sampler = Object.hasOwn(samplers, name) ? samplers[name] : undefined;
  if (!sampler) {
    warn('OTEL_TRACES_SAMPLER', `one of ${Object.keys(samplers).join(', ')}`);
    return defaultSampling;
  }
  const ratio = Number(argument);
  if (!(ratio >= 0 && ratio <= 1)) {
    warn('OTEL_TRACES_SAMPLER_ARG', 'a number from 0 to 1');
    return defaultSampling;
  }
  return sampler(ratio);
}

function readMs(name: string, byDefault: number, variables: Variables, warn: Warn): number {
  const written = variables[name] ?? String(byDefault);
  if (!/^\d{3,8}$/.test(written) || Number(written) < 100) {
    warn(name, 'milliseconds from 100 to 99999999');
    return byDefault;
  }
  return Number(written);
}
