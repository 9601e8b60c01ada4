import { withTimeout } from '../lib/with-timeout.ts';
import type { Running, Telemetry, TelemetryParts } from './telemetry.ts';

const flushMs = 2000;
const ignore = () => undefined;

/** Resolves when everything counts that the settings want. */
export async function createTelemetry(parts: TelemetryParts): Promise<Telemetry> {
  const { settings } = parts;
  let loading: Promise<Running> | undefined;
  let running: Running | undefined;
  const start = async () => {
    // 700 kB, which are not to be loaded where nobody wants them.
    const { startSdk } = await import('./start-sdk.ts');
    running = startSdk(parts);
    return running;
  };
  const started = () => {
    loading ??= start();
    return loading;
  };
  if (settings.otlp || settings.metrics) {
    await started();
  }
  return {
    observeTurn: (turn) => running?.observeTurn(turn) ?? ignore,
    observeRequest: (request) => running?.observeRequest(request),
    readMetrics: async () => (await started()).readMetrics(),
    close: async () => {
      if (running) {
        await withTimeout(flushMs, running.close());
      }
    },
  };
}
