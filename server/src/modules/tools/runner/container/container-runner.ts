import { boundedRun } from '../bounded-run.ts';
import { assertSafePath, getCommand } from '../job-files.ts';
import type { TarEntry } from '../pack-tar.ts';
import { defaultRunLimits } from '../run-limits.ts';
import { type JobFile, type Runner, RunnerFailure, type ScriptJob } from '../runner.ts';
import { watchState } from '../watch-state.ts';
import { EngineUnavailable } from './call-engine.ts';
import type { EngineAddress, ScriptImages } from './container-settings.ts';
import { inspectEngine } from './inspect-engine.ts';
import { probeImages, type TriedImages } from './probe-images.ts';
import { removeLeftovers } from './remove-leftovers.ts';
import { type ContainerRun, runContainer } from './run-container.ts';

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
