import type { Environment } from './env.ts';
import type { RunningTurns } from './modules/chat/index.ts';
import type { ContentStore } from './modules/content/index.ts';
import {
  createTelemetry,
  type Gauges,
  type MetricsServer,
  serveMetrics,
  type Telemetry,
} from './modules/insights/index.ts';
import { countSkills, type SkillStore } from './modules/skills/index.ts';
import { StartupError } from './open-skills.ts';
import { errorCode } from './platform/lib/error-code.ts';
import type { Log } from './platform/lib/log.ts';

export interface OpenTelemetry extends Telemetry {
  /** Port of the unauthenticated metrics server, if any. */
  metricsPort: number | undefined;
}

interface Parts {
  skills: SkillStore;
  content: ContentStore;
  runningTurns: RunningTurns;
  version: string;
  log: Log;
}

/**
 * Creates traces and metrics as configured. Throws a `StartupError` if METRICS_PORT cannot be
 * bound.
 */
export async function openTelemetry(
  { telemetry: settings }: Environment,
  { version, log, ...parts }: Parts,
): Promise<OpenTelemetry> {
  const gauges = gaugesOf(parts);
  const telemetry = await createTelemetry({ settings, version, gauges, log });
  const { metrics } = settings;
  const server: MetricsServer | undefined =
    metrics &&
    (await serveMetrics(metrics, telemetry.readMetrics).catch((error: unknown) => {
      throw new StartupError(
        `Cannot serve metrics on ${metrics.host}:${metrics.port} (${errorCode(error) ?? String(error)}). Check METRICS_HOST and METRICS_PORT.`,
      );
    }));
  return {
    ...telemetry,
    metricsPort: server?.port,
    close: async () => {
      server?.close();
      await telemetry.close();
    },
  };
}

function gaugesOf({ skills, content, runningTurns }: Omit<Parts, 'version' | 'log'>): Gauges {
  return {
    runningTurns: runningTurns.count,
    skills: () => countSkills(skills.snapshot, content.current.skills),
    scanSeconds: () => skills.scanSeconds,
  };
}
