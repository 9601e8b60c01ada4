import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { constants } from 'node:os';
import { z } from 'zod';
import { packTar, type TarEntry } from '../pack-tar.ts';
import type { RunLimits } from '../run-limits.ts';
import { RunnerFailure, type ScriptResult } from '../runner.ts';
import { callEngine, EngineAway, EngineRefusal, openAnswer } from './call-engine.ts';
import type { EngineAddress } from './container-settings.ts';
import {
  type EngineAbilities,
  givenFolders,
  labels,
  scriptSpec,
  volumesSpec,
} from './container-spec.ts';
import { endOfRun } from './end-of-run.ts';
import { readOutput } from './read-output.ts';

export interface ContainerRun {
  image: string;
  /** In the label of what is made for it. */
  owner: string;
  command: readonly string[];
  skill: readonly TarEntry[];
  files: readonly TarEntry[];
  stdin: string;
  limits: RunLimits;
  abilities: EngineAbilities;
}

/** For all that is made before a script begins. */
const setUpMs = 30_000;
/** For what has ended to be said and removed. */
const endMs = 10_000;
/**
 * Runs a script in a container of its own until nothing of it is left.
 *
 * @throws `RunnerFailure` when the engine does not do what is needed for it
 */
export async function runContainer(
  engine: EngineAddress,
  run: ContainerRun,
  signal: AbortSignal,
): Promise<ScriptResult> {
  const began = performance.now();
  const made = { id: `knowhow-${randomUUID()}`, mark: randomUUID() };
  const end = endOfRun(run.limits.seconds, signal);
  const output = readOutput(made.mark, run.limits.streamBytes, end);
  try {
    const answer = await begin(engine, run, { ...made, signal: end.signal });
    end.startTimer();
    await output.read(answer);
    const outcome = output.outcome() ?? (await askOutcome(engine, made.id, end.signal));
    if (outcome === 'memory') {
      end.because(outcome);
      throw end.signal.reason;
    }
    const ended = { end: 'exit' as const, ...exitOf(outcome), ...output.said(), ...output.files() };
    return { ...ended, ms: performance.now() - began };
  } catch (error) {
    const why = end.why();
    if (!why) {
      throw error;
    }
    const nothing = { exitCode: null, files: [], leftOut: [] };
    return { end: why, ...nothing, ...output.said(), ms: performance.now() - began };
  } finally {
    end.close();
    await removeContainers(engine, [made.id, volumesOf(made.id)]);
  }
}

/**
 * Removes containers, running or not, and their volumes: one after the other, as none loses a volume that
 * another still has. What cannot be removed now is removed later, by its labels.
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

/** Makes and starts what a run needs. Gives what the script writes. */
async function begin(
  engine: EngineAddress,
  run: ContainerRun,
  { id, mark, signal }: ContainerStart,
): Promise<IncomingMessage> {
  const patience = AbortSignal.timeout(setUpMs);
  const opening = new AbortController();
  const giveUp = () => opening.abort();
  patience.addEventListener('abort', giveUp);
  // What the script writes comes on after the patience for its beginning is over.
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
    throw opening.signal.aborted ? new EngineAway('The container engine took too long.') : error;
  } finally {
    patience.removeEventListener('abort', giveUp);
  }
}

/** Puts what a script gets into the volumes of a container that never runs. */
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
      ...{ method: 'PUT', path: `/containers/${id}/archive?path=${folder}` },
      ...{ body: packTar(entries), signal },
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

/** How a container ended that could not say so itself. */
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
  // A script cannot kill what runs it. Podman does not say that the kernel has.
  return OOMKilled || ExitCode === killed ? 'memory' : ExitCode;
}

function exitOf(exitCode: number): Pick<ScriptResult, 'exitCode' | 'signal'> {
  const signal = Object.entries(constants.signals).find(
    ([, number]) => number + 128 === exitCode,
  )?.[0];
  return { exitCode, ...(signal ? { signal } : {}) };
}
