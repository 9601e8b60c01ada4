import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { constants } from 'node:os';
import { z } from 'zod';
import { packTar, type TarEntry } from '../pack-tar.ts';
import type { RunLimits } from '../run-limits.ts';
import { RunnerFailure, type ScriptResult } from '../runner.ts';
import { callEngine, EngineRefusal, EngineUnavailable, openAnswer } from './call-engine.ts';
import type { EngineAddress } from './container-settings.ts';
import {
  type EngineAbilities,
  givenFolders,
  labels,
  scriptSpec,
  volumesSpec,
} from './container-spec.ts';
import { readOutput } from './read-output.ts';
import { createRunEnd } from './run-end.ts';

export interface ContainerRun {
  image: string;
  /** Owner label of the created containers. */
  owner: string;
  command: readonly string[];
  skill: readonly TarEntry[];
  files: readonly TarEntry[];
  stdin: string;
  limits: RunLimits;
  abilities: EngineAbilities;
}

/** Timeout for everything before the script starts. */
const setUpMs = 30_000;
/** Timeout for reporting and cleaning up. */
const endMs = 10_000;
/**
 * Runs a script in its own container and removes everything afterwards.
 *
 * @throws `RunnerFailure` if the engine fails
 */
export async function runContainer(
  engine: EngineAddress,
  run: ContainerRun,
  signal: AbortSignal,
): Promise<ScriptResult> {
  const startedAt = performance.now();
  const ids = { id: `knowhow-${randomUUID()}`, mark: randomUUID() };
  const end = createRunEnd(run.limits.seconds, signal);
  const output = readOutput(ids.mark, run.limits.streamBytes, end);
  try {
    const answer = await begin(engine, run, { ...ids, signal: end.signal });
    end.startTimer();
    await output.read(answer);
    const outcome = output.outcome() ?? (await askOutcome(engine, ids.id, end.signal));
    if (outcome === 'memory') {
      end.because(outcome);
      throw end.signal.reason;
    }
    const ended = { end: 'exit' as const, ...exitOf(outcome), ...output.said(), ...output.files() };
    return { ...ended, ms: performance.now() - startedAt };
  } catch (error) {
    const why = end.why();
    if (!why) {
      throw error;
    }
    const nothing = { exitCode: null, files: [], leftOut: [] };
    return { end: why, ...nothing, ...output.said(), ms: performance.now() - startedAt };
  } finally {
    end.close();
    await removeContainers(engine, [ids.id, volumesOf(ids.id)]);
  }
}

/**
 * Removes containers and their volumes, running or not. Sequentially, since a volume in use is not
 * removed. Failed removals are retried later by label.
 */
export async function removeContainers(
  engine: EngineAddress,
  ids: readonly string[],
): Promise<void> {
  for (const id of ids) {
    const path = `/containers/${id}?force=true&v=true`;
    try {
      await callEngine(engine, { method: 'DELETE', path, signal: AbortSignal.timeout(endMs) });
    } catch (error) {
      if (!(error instanceof EngineRefusal)) {
        return;
      }
    }
  }
}

function volumesOf(id: string): string {
  return `${id}-volumes`;
}

interface ContainerStart {
  id: string;
  mark: string;
  signal: AbortSignal;
}

/** Creates and starts the containers. Returns the script's output stream. */
async function begin(
  engine: EngineAddress,
  run: ContainerRun,
  { id, mark, signal }: ContainerStart,
): Promise<IncomingMessage> {
  const timeout = AbortSignal.timeout(setUpMs);
  const opening = new AbortController();
  const giveUp = () => opening.abort();
  timeout.addEventListener('abort', giveUp);
  // The setup timeout must not cut off the script's output later.
  const either = AbortSignal.any([signal, opening.signal]);
  let answer: IncomingMessage | undefined;
  try {
    await fill(engine, run, { id: volumesOf(id), signal: either });
    const spec = { ...run, labels: labelsOf(run), mark, volumesFrom: volumesOf(id) };
    const call = { method: 'POST' as const, signal: either };
    const path = `/containers/${id}`;
    const create = `/containers/create?name=${id}`;
    await callEngine(engine, { ...call, path: create, body: scriptSpec(spec) });
    answer = await openAnswer(engine, {
      ...call,
      path: `${path}/attach?stream=1&stdout=1&stderr=1`,
    });
    await callEngine(engine, { ...call, path: `${path}/start` });
    return answer;
  } catch (error) {
    answer?.destroy();
    throw opening.signal.aborted
      ? new EngineUnavailable('The container engine took too long.')
      : error;
  } finally {
    timeout.removeEventListener('abort', giveUp);
  }
}

/** Copies the script's inputs into the volumes of a container that never runs. */
async function fill(
  engine: EngineAddress,
  run: ContainerRun,
  { id, signal }: Pick<ContainerStart, 'id' | 'signal'>,
): Promise<void> {
  const stdin: TarEntry = { path: 'stdin', kind: 'file', bytes: Buffer.from(run.stdin) };
  const given = [
    { folder: givenFolders.skill, entries: run.skill },
    { folder: givenFolders.in, entries: run.files },
    { folder: givenFolders.input, entries: run.stdin === '' ? [] : [stdin] },
  ];
  const body = volumesSpec({ ...run, labels: labelsOf(run) });
  const path = `/containers/create?name=${id}`;
  await callEngine(engine, { method: 'POST', path, body, signal });
  for (const { folder, entries } of given.filter((each) => each.entries.length > 0)) {
    await callEngine(engine, {
      method: 'PUT',
      path: `/containers/${id}/archive?path=${folder}`,
      body: packTar(entries),
      signal,
    });
  }
}

function labelsOf({ owner, limits }: ContainerRun): Record<string, string> {
  const until = Date.now() / 1000 + limits.seconds + (setUpMs + 3 * endMs) / 1000;
  return { [labels.owner]: owner, [labels.until]: String(Math.ceil(until)) };
}

const stateSchema = z.object({
  State: z.object({ ExitCode: z.number().int(), OOMKilled: z.boolean() }),
});

const killed = 128 + constants.signals.SIGKILL;

/** The outcome of a container that could not report it. */
async function askOutcome(
  engine: EngineAddress,
  id: string,
  signal: AbortSignal,
): Promise<number | 'memory'> {
  const path = `/containers/${id}`;
  await callEngine(engine, { method: 'POST', path: `${path}/wait`, signal });
  const answer = await callEngine(engine, { method: 'GET', path: `${path}/json`, signal });
  const { ExitCode = 0, OOMKilled = false } = stateSchema.safeParse(answer).data?.State ?? {};
  if (ExitCode === 0 && !OOMKilled) {
    throw new RunnerFailure('The container engine lost how the script ended.');
  }
  // A script cannot kill process 1, so SIGKILL means the kernel did. Podman does not report OOM
  // kills.
  return OOMKilled || ExitCode === killed ? 'memory' : ExitCode;
}

function exitOf(exitCode: number): Pick<ScriptResult, 'exitCode' | 'signal'> {
  const signal = Object.entries(constants.signals).find(
    ([, number]) => number + 128 === exitCode,
  )?.[0];
  return { exitCode, ...(signal ? { signal } : {}) };
}
