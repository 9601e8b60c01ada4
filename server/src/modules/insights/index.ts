/** The public interface of `insights`: other modules import only this. */
export { type Analytics, createAnalytics } from './analytics/analytics.ts';
export { createTelemetry } from './telemetry/create-telemetry.ts';
export { type MetricsServer, serveMetrics } from './telemetry/serve-metrics.ts';
export type { Gauges, Telemetry } from './telemetry/telemetry.ts';
export { readTelemetrySettings, type TelemetrySettings } from './telemetry/telemetry-settings.ts';
export { createTraces, type Traces } from './traces/traces.ts';
