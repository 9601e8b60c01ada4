import { z } from 'zod';
import { boundedRun } from '../bounded-run.ts';
import { assertSafePath, getCommand } from '../job-files.ts';
import type { TarEntry } from '../pack-tar.ts';
import { defaultRunLimits } from '../run-limits.ts';
import { type JobFile, type Runner, RunnerFailure, type ScriptJob } from '../runner.ts';
import { watchState } from '../watch-state.ts';
import { callEngine, EngineRefusal, EngineUnavailable } from './call-engine.ts';
import type { EngineAddress, ScriptImages } from './container-settings.ts';
import { labels } from './container-spec.ts';
import { probeImages, type TriedImages } from './probe-images.ts';
import { type ContainerRun, removeContainers, runContainer } from './run-container.ts';

interface EngineInspection {
  /** Changes if the engine is replaced or reconfigured. */
  about: object;
  /** Image IDs of the usable images, by name. */
  ids: Record<string, string>;
  problems: string[];
}

const timeoutMs = 10_000;

const anyValue = z.unknown().optional();

const infoSchema = z.object({
  MemoryLimit: z.boolean(),
  PidsLimit: z.boolean(),
  Name: anyValue,
  ServerVersion: anyValue,
  KernelVersion: anyValue,
  SecurityOptions: anyValue,
  DefaultRuntime: anyValue,
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
async function inspectEngine(
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
      seen.problems.push(
        `The image "${name}" has volumes, which cannot be limited. Use another one.`,
      );
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

/** Runs each script in its own container, using an engine that implements Docker's API. */
export interface ContainerRunner extends Runner {
  /** Checks the engine now. Never throws. */
  look(): Promise<unknown>;
  /** Why it is unavailable, and what it unexpectedly cannot run. */
  problems(): string[];
  close(): void;
}

export interface ContainerOptions {
  engine: EngineAddress;
  images: ScriptImages;
  /** Unique owner label for the containers. */
  owner: string;
}

/** Monitors the engine until closed. */
export function createContainerRunner(options: ContainerOptions): ContainerRunner {
  const { engine, images } = options;
  const ask = askEngine(options);
  let problems: string[] = [];
  const watched = watchState(async () => {
    const found = await ask().catch((error: unknown) => {
      problems = [reasonOf(error)];
      throw error;
    });
    problems = found.problems;
    if (Object.keys(found.runtimes).length === 0) {
      throw new RunnerFailure('There is nothing that runs scripts.');
    }
    return found;
  });
  const run: Runner['run'] = async (job, signal) => {
    const image = images[job.kind];
    const state = watched.now();
    if (!state) {
      throw new RunnerFailure(problems[0] ?? 'The container engine does not answer.');
    }
    if (image === undefined || state.runtimes[job.kind] === undefined) {
      throw new RunnerFailure(`There is no image that can run ${job.kind}.`);
    }
    try {
      const { abilities } = state;
      const parts = { ...runOptions(job), image, owner: options.owner, abilities };
      return await runContainer(engine, parts, signal);
    } catch (error) {
      if (error instanceof EngineUnavailable) {
        problems = [error.message];
        watched.set(undefined);
      }
      throw error;
    }
  };
  return {
    tier: 'container',
    get status() {
      return watched.now() ? 'ready' : 'away';
    },
    get runtimes() {
      return watched.now()?.runtimes ?? {};
    },
    look: watched.check,
    problems: () => problems,
    close: watched.close,
    run: boundedRun(run),
  };
}

/**
 * Checks the engine. Probes its images again if they or the engine changed, or after a transient
 * failure.
 */
function askEngine({ engine, images, owner }: ContainerOptions): () => Promise<TriedImages> {
  let last: { key: string; tried: TriedImages } | undefined;
  let isFirst = true;
  return async () => {
    const seen = await inspectEngine(engine, images);
    await removeLeftovers(engine, { owner, all: isFirst });
    isFirst = false;
    const key = JSON.stringify([seen.about, seen.ids]);
    if (last?.key !== key || !last.tried.isSure) {
      const signal = new AbortController().signal;
      const tried = await probeImages(images, Object.keys(seen.ids), (image, job, abilities) =>
        runContainer(engine, { ...runOptions(job), image, owner, abilities }, signal),
      );
      last = { key, tried };
    }
    return { ...last.tried, problems: [...seen.problems, ...last.tried.problems] };
  };
}

function reasonOf(error: unknown): string {
  return error instanceof RunnerFailure ? error.message : 'The container engine does not answer.';
}

function runOptions(
  job: ScriptJob,
): Pick<ContainerRun, 'command' | 'skill' | 'files' | 'stdin' | 'limits'> {
  return {
    command: getCommand(job),
    skill: job.skill.files.map(toTarEntry),
    files: (job.files ?? []).map(toTarEntry),
    stdin: job.stdin ?? '',
    limits: { ...defaultRunLimits, ...job.limits },
  };
}

function toTarEntry(file: JobFile): TarEntry {
  assertSafePath(file);
  return { ...file, kind: 'file' };
}

const listMs = 10_000;

const listSchema = z.array(
  z.object({
    Id: z.string().regex(/^[\da-f]+$/),
    Labels: z.record(z.string(), z.string()).nullish(),
  }),
);

/** Removes expired containers of any owner and, if `all`, every container of this owner. */
async function removeLeftovers(
  engine: EngineAddress,
  { owner, all }: { owner: string; all: boolean },
): Promise<void> {
  const filters = encodeURIComponent(JSON.stringify({ label: [labels.owner] }));
  const listed = await callEngine(engine, {
    method: 'GET',
    path: `/containers/json?all=true&filters=${filters}`,
    signal: AbortSignal.timeout(listMs),
  });
  const left = listSchema.parse(listed).filter(({ Labels }) => {
    const isOver = Number(Labels?.[labels.until] ?? Number.NaN) < Date.now() / 1000;
    return isOver || (all && Labels?.[labels.owner] === owner);
  });
  // Newest first: containers with volumes are older than those that use them.
  await removeContainers(
    engine,
    left.map(({ Id }) => Id),
  );
}
