import { z } from 'zod';
import { RunnerFailure } from '../runner.ts';
import { callEngine, EngineRefusal } from './call-engine.ts';
import type { EngineAddress, ScriptImages } from './container-settings.ts';

export interface EngineInspection {
  /** Changes if the engine is replaced or reconfigured. */
  about: object;
  /** Image IDs of the usable images, by name. */
  ids: Record<string, string>;
  problems: string[];
}

const timeoutMs = 10_000;

const anyValue = z.unknown().optional();
const infoSchema = z.object({
  ...{ MemoryLimit: z.boolean(), PidsLimit: z.boolean() },
  ...{ Name: anyValue, ServerVersion: anyValue, KernelVersion: anyValue },
  ...{ SecurityOptions: anyValue, DefaultRuntime: anyValue },
});
const imageSchema = z.object({
  Id: z.string(),
  Config: z.object({ Volumes: z.record(z.string(), z.unknown()).nullish() }).nullish(),
});

/**
 * Checks whether the engine can enforce limits, and which images it has.
 *
 * @throws `RunnerFailure` if it is unusable
 */
export async function inspectEngine(
  engine: EngineAddress,
  images: ScriptImages,
): Promise<EngineInspection> {
  const signal = AbortSignal.timeout(timeoutMs);
  const ask = (path: string) => callEngine(engine, { method: 'GET', path, signal });
  const { data: info } = infoSchema.safeParse(await ask('/info'));
  if (!info) {
    throw new RunnerFailure('What answers at DOCKER_HOST is no container engine.');
  }
  if (!(info.MemoryLimit && info.PidsLimit)) {
    throw new RunnerFailure('The container engine cannot limit memory and processes.');
  }
  const seen: EngineInspection = { about: info, ids: {}, problems: [] };
  for (const name of new Set(Object.values(images))) {
    const image = await ask(`/images/${name}/json`).then(imageSchema.safeParse, ifMissing);
    if (!image?.data) {
      seen.problems.push(`The image "${name}" is not there. Get it with "docker pull ${name}".`);
    } else if (Object.keys(image.data.Config?.Volumes ?? {}).length > 0) {
      seen.problems.push(`The image "${name}" has volumes, which no limit holds. Use another.`);
    } else {
      seen.ids[name] = image.data.Id;
    }
  }
  return seen;
}

function ifMissing(error: unknown): undefined {
  if (error instanceof EngineRefusal && error.status === 404) {
    return undefined;
  }
  throw error;
}
