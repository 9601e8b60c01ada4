import { z } from 'zod';
import { RunnerFailure } from '../runner.ts';
import { callEngine, EngineRefusal } from './call-engine.ts';
import type { EngineAddress, ScriptImages } from './container-settings.ts';

export interface SeenEngine {
  /** Differs when it is another one, or works in another way. */
  about: object;
  /** By the names of those images that scripts can be run in: which ones they are now. */
  ids: Record<string, string>;
  problems: string[];
}

const lookMs = 10_000;

const said = z.unknown().optional();
const infoSchema = z.object({
  ...{ MemoryLimit: z.boolean(), PidsLimit: z.boolean() },
  ...{ Name: said, ServerVersion: said, KernelVersion: said },
  ...{ SecurityOptions: said, DefaultRuntime: said },
});
const imageSchema = z.object({
  Id: z.string(),
  Config: z.object({ Volumes: z.record(z.string(), z.unknown()).nullish() }).nullish(),
});

/**
 * Looks whether an engine can hold what it runs, and what images it has.
 *
 * @throws `RunnerFailure` when it cannot be used
 */
export async function lookAtEngine(
  engine: EngineAddress,
  images: ScriptImages,
): Promise<SeenEngine> {
  const signal = AbortSignal.timeout(lookMs);
  const ask = (path: string) => callEngine(engine, { method: 'GET', path, signal });
  const { data: info } = infoSchema.safeParse(await ask('/info'));
  if (!info) {
    throw new RunnerFailure('What answers at DOCKER_HOST is no container engine.');
  }
  if (!(info.MemoryLimit && info.PidsLimit)) {
    throw new RunnerFailure('The container engine cannot limit memory and processes.');
  }
  const seen: SeenEngine = { about: info, ids: {}, problems: [] };
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
