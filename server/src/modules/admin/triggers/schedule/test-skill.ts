import { Problem } from '@knowhow/shared/problem';
import {
  describeFailure,
  type TriggerPrompt,
  type TriggerResult,
} from '@knowhow/shared/skills/trigger-tests';
import type { SkillAdmin } from '../../skills/skill-admin.ts';
import { findEntry } from '../../skills/skill-entries.ts';
import { runTriggers } from '../run-triggers.ts';
import { findTestedVersion, storeRun, type TriggerBench } from '../trigger-bench.ts';
import { chosenPrompts, readTriggerPrompts } from '../trigger-prompts.ts';
import { createTestCaller, openTrial, type Trial } from '../trigger-trial.ts';

export type ScheduleTools = SkillAdmin & TriggerBench;

/** Timeout of a prompt, in milliseconds. */
const patienceMs = 120_000;
/** Maximum duration with one model, in milliseconds. */
const maxRunMs = 3_600_000;
/** Number of failures without an answer after which a model is not asked further. */
const maxFailures = 3;
/** Failures that are due to the skill or its prompts. */
const failuresOfSkill: readonly string[] = [
  'too-large',
  'model-too-large',
  'model-context-full',
  'not-found',
];

interface SkillTest {
  skill: string;
  /** Ids of models, all of which can be used. */
  models: readonly string[];
  /** Tokens after which the test stops. */
  maxTokens: number;
}

/** The result of a test of one skill. */
export interface SkillTested {
  /** Models with which the test is complete. */
  done: string[];
  /** Models that did not answer, and why. */
  down: Map<string, string>;
  /** Input and output. */
  tokens: number;
}

/**
 * Runs the trigger prompts of a skill with each model, and stores the run with all models that answered. A skill that
 * cannot be tested counts as done.
 */
export async function testSkill(
  test: SkillTest,
  tools: ScheduleTools,
  signal: AbortSignal,
): Promise<SkillTested> {
  const opened = await openTest(test, tools);
  const tested: SkillTested = { done: [], down: new Map(), tokens: 0 };
  if (!opened) {
    return { ...tested, done: [...test.models] };
  }
  const { trial, prompts, version } = opened;
  const results: TriggerResult[] = [];
  for (const model of test.models) {
    if (signal.aborted || tested.tokens >= test.maxTokens) {
      break;
    }
    const budget = test.maxTokens - tested.tokens;
    const run = await runModel({ trial, prompts, model, budget }, tools, signal);
    tested.tokens += run.tokens;
    if (run.down !== undefined) {
      tested.down.set(model, run.down);
      continue;
    }
    results.push(...run.results);
    if (run.isDone) {
      tested.done.push(model);
    }
  }
  const models = test.models.filter((model) => results.some((each) => each.model === model));
  if (models.length > 0) {
    const isWhole = results.length === models.length * prompts.length;
    results.sort((one, other) => one.prompt - other.prompt);
    const run = { trial, version, models, prompts, results, isScheduled: true } as const;
    await storeRun({ ...run, ended: isWhole ? 'whole' : 'stopped' }, tools);
  }
  return tested;
}

/** Undefined if the skill has no prompts, or cannot be activated by models. */
async function openTest({ skill: name, models }: SkillTest, tools: ScheduleTools) {
  try {
    const { skills } = tools;
    const entry = findEntry(skills.snapshot, name);
    const prompts = chosenPrompts(await readTriggerPrompts(skills, entry));
    if (prompts.length === 0) {
      return undefined;
    }
    const trial = await openTrial(
      { name, caller: createTestCaller('Scheduled test'), models },
      tools,
    );
    return { trial, prompts, version: await findTestedVersion(trial, tools) };
  } catch (error) {
    if (!(error instanceof Problem)) {
      throw error;
    }
    tools.log.info(
      { skill: name, reason: error.message },
      'a skill is left out of scheduled tests',
    );
    return undefined;
  }
}

interface ModelRun {
  trial: Trial;
  prompts: readonly TriggerPrompt[];
  model: string;
  budget: number;
}

/** Runs all prompts with one model. Stops at the budget, and if the model does not answer. */
async function runModel(
  { trial, prompts, model, budget }: ModelRun,
  { log }: ScheduleTools,
  signal: AbortSignal,
): Promise<{ results: TriggerResult[]; tokens: number; isDone: boolean; down?: string }> {
  const ended = new AbortController();
  const seen: TriggerResult[] = [];
  let tokens = 0;
  let isSpent = false;
  const onResult = (result: TriggerResult) => {
    seen.push(result);
    tokens += result.inputTokens + result.outputTokens;
    isSpent = tokens >= budget && seen.length < prompts.length;
    if (isSpent || (seen.length >= maxFailures && seen.every(isOutage))) {
      ended.abort();
    }
  };
  const stop = AbortSignal.any([signal, ended.signal, AbortSignal.timeout(maxRunMs)]);
  const task = { trial, prompts, models: [model], language: 'en', log, patienceMs };
  const results = await runTriggers(task, stop, onResult);
  const [first] = seen;
  return {
    results,
    tokens,
    // A model that is too slow for all prompts is not asked again.
    isDone: !(signal.aborted || isSpent),
    ...(first?.error && seen.every(isOutage) ? { down: describeFailure(first.error) } : {}),
  };
}

/** Whether the model is to blame for the failure. */
function isOutage({ outcome, error }: TriggerResult): boolean {
  return outcome === 'failed' && error !== undefined && !failuresOfSkill.includes(error.code);
}
