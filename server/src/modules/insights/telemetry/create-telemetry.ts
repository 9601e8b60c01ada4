import { withTimeout } from '../../../platform/lib/with-timeout.ts';
import type { Running, Telemetry, TelemetryParts } from './telemetry.ts';

const flushMs = 2000;
const ignore = () => undefined;

/** Resolves once everything in the settings is being measured. */
export async function createTelemetry(parts: TelemetryParts): Promise<Telemetry> {
  const { settings } = parts;
  let loading: Promise<Running> | undefined;
  let running: Running | undefined;
  const start = async () => {
    // Imported lazily, because it is 700 kB and often unused.
    const { startSdk } = await import('./start-sdk.ts');
    running = startSdk(parts);
    return running;
  };
  const ensureStarted = () => {
    loading ??= start();
    return loading;
  };
  if (settings.otlp || settings.metrics) {
    await ensureStarted();
  }
  return {
    observeTurn: (turn) => running?.observeTurn(turn) ?? ignore,
    observeRequest: (request) => running?.observeRequest(request),
    readMetrics: async () => (await ensureStarted()).readMetrics(),
    close: async () => {
      if (running) {
        await withTimeout(flushMs, running.close());
      }
    },
  };
}
