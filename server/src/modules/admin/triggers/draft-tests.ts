import { isDeepStrictEqual } from 'node:util';
import { appConfigSchema } from '@knowhow/shared/config/app-config';
import { Problem, problem } from '@knowhow/shared/problem';
import type {
  DraftTest,
  DraftTestEvent,
  DraftTestPlan,
  draftTestsApi,
  TestedResult,
  TestedSide,
} from '@knowhow/shared/skills/draft-tests';
import type { TriggerPrompt, TriggerResult } from '@knowhow/shared/skills/trigger-tests';
import type { z } from 'zod';
import { type ListedModel, toTurnError } from '../../chat/index.ts';
import { type Caller, grants } from '../../identity/index.ts';
import { calculateCost } from '../../models/index.ts';
import { findMain, type StoredDraft, type StoredSkill } from '../../skills/index.ts';
import {
  findPublished,
  type PublishedSkill,
  readPublishedManifest,
} from '../skills/published-skill.ts';
import { openDraftSkill } from '../skills/replay-draft.ts';
import type { SkillAdmin } from '../skills/skill-admin.ts';
import { skillEntries } from '../skills/skill-entries.ts';
import { coveredEntries, scopeOf } from '../skills/skill-scope.ts';
import { type CountedPrompts, countPrompts } from './count-prompts.ts';
import { compareSides, type DraftRun, runDraft } from './run-draft.ts';
import { isOnlyRanking } from './run-triggers.ts';
import { type CountedBench, storeRun } from './trigger-bench.ts';
import { chosenPrompts, readTriggerPrompts } from './trigger-prompts.ts';
import { createTestCaller, openTrial, type Trial } from './trigger-trial.ts';

export type DraftTestTools = SkillAdmin & CountedBench;

interface DraftTestRequest extends z.output<typeof draftTestsApi.run.body> {
  skill: string;
  caller: Caller;
  language: string;
}

/** Runs until the end or the signal. Never rejects: the last event reports errors. */
type Run = (stop: AbortSignal, onEvent: (event: DraftTestEvent) => void) => Promise<void>;

/** Maximum duration of a run. */
const maxRunMs = 60 * 60 * 1000;

/** The plan for a test of a draft, and the last test. Throws `not-found` without a draft. */
export async function planDraftTest(
  tools: DraftTestTools,
  { skill, caller }: Pick<DraftTestRequest, 'skill' | 'caller'>,
): Promise<DraftTestPlan> {
  const opened = await openTested(tools, skill);
  const { published, prompts, faults } = opened;
  const heads = await tools.triggerRuns.list(published.name);
  const wanted = new Set(wantedModels(tools));
  const models = await Promise.all(
    usableModels(tools, caller).map(async ({ config: { id, name, prices } }) => {
      const last = heads.find(({ summaries }) => summaries.some(({ model }) => model === id));
      const summary = last?.summaries.find(({ model }) => model === id);
      const cost = summary && calculateCost(summary, prices);
      return {
        id,
        name,
        isWanted: wanted.has(id),
        isKnown: (await findKnown(tools, published, prompts, id)) !== undefined,
        ...(summary
          ? {
              usual: {
                tokens: summary.inputTokens + summary.outputTokens,
                ...(cost ? { cost } : {}),
              },
            }
          : {}),
      };
    }),
  );
  const last = await findLast(tools, caller, opened);
  return { prompts, faults, ...numberOf(published), models, ...(last ? { last } : {}) };
}

/**
 * Prepares a test of a draft in place of the published version. Throws `not-found` without a draft, `conflict` without
 * prompts or if models cannot activate the draft, and `invalid-request` for models that the caller cannot use.
 */
export async function prepareDraftTest(
  tools: DraftTestTools,
  request: DraftTestRequest,
): Promise<Run> {
  const models = [...new Set(request.models)];
  checkUsable(tools, request.caller, models);
  const opened = await openTested(tools, request.skill);
  const { published, prompts, skill } = opened;
  if (prompts.length === 0) {
    throw problem(
      'conflict',
      `The draft of skill "${skill.id}" has no trigger prompts. Add some to evals/trigger-evals.json, then save the draft.`,
    );
  }
  const caller = createTestCaller('Draft test');
  const trial = await openTrial({ name: skill.id, caller, models, draft: skill }, tools);
  const before = await openPublished(tools, opened, models);
  const known = new Map<string, TriggerResult[]>();
  const reusable = before && request.reuse ? models : [];
  for (const model of reusable) {
    const results = await findKnown(tools, published, prompts, model);
    if (results) {
      known.set(model, results);
    }
  }
  const run = {
    ...opened,
    ...request,
    skill,
    models,
    trials: { draft: trial, published: before },
    hasPublishedPrompts: await hasPrompts(tools, published, prompts),
    known,
  };
  return async (disconnected, onEvent) => {
    const limit = AbortSignal.any([disconnected, AbortSignal.timeout(maxRunMs)]);
    const counted = countPrompts(tools.quotas, request.caller, limit);
    try {
      await runAndStore(tools, { ...run, counted }, onEvent);
    } catch (error) {
      tools.log.error({ error }, 'a test of a draft failed');
      onEvent({ type: 'error', ...toTurnError(error, seesReasons(request.caller)) });
    }
  };
}

interface PreparedRun
  extends Omit<Tested, 'faults' | 'prompts'>,
    Omit<DraftRun, 'fresh' | 'prompts' | 'counted'>,
    Pick<DraftTestRequest, 'caller'> {
  prompts: TriggerPrompt[];
  counted: CountedPrompts;
  /** Whether the published version has the same prompts. */
  hasPublishedPrompts: boolean;
}

async function runAndStore(
  tools: DraftTestTools,
  run: PreparedRun,
  onEvent: (event: DraftTestEvent) => void,
): Promise<void> {
  const { caller, published, draft, skill, models, prompts, known, trials, counted } = run;
  const show = resultShower(tools, caller, skill.id);
  const fresh = trials.published ? models.filter((model) => !known.has(model)) : [];
  onEvent({
    type: 'start',
    total: prompts.length * (models.length + fresh.length),
    known: [...known.values()].flat().map((result) => show('published', result)),
  });
  const results = await runDraft({ ...run, fresh }, tools.log, (side, result) =>
    onEvent({ type: 'result', result: show(side, result) }),
  );
  const ended = counted.stop.aborted ? 'stopped' : 'whole';
  const own = results.published.filter(({ model }) => fresh.includes(model));
  // The history of the published version has its own prompts only.
  if (trials.published && own.length > 0 && run.hasPublishedPrompts) {
    const tested = {
      trial: trials.published,
      models: fresh,
      prompts,
      results: own,
      ended,
    } as const;
    await storeRun({ ...tested, version: published.newest, by: caller }, tools);
  }
  await tools.audit.record({
    by: { id: caller.id, name: caller.name },
    action: 'triggers-tested',
    kind: 'skill',
    target: skill.id,
    after: { models, draft: draft.checksum, ended, requests: results.draft.length },
  });
  const head = await tools.draftTests.add({
    ...{ skill: skill.id, began: draft.created },
    ...{ checksum: draft.checksum, main: await mainOf(tools, published) },
    ...{ by: caller.name, ended, prompts, total: prompts.length, results },
    ...numberOf(published),
    models: models.map((model) => ({
      ...compareSides(model, results, trials.published !== undefined),
      onlyRanking: isOnlyRanking(model, tools.models),
    })),
  });
  const refusal = counted.refusal();
  onEvent(refusal ? { type: 'error', ...refusal } : { type: 'end', run: head });
}

interface Tested {
  draft: StoredDraft;
  /** The draft, as it can be offered. */
  skill: StoredSkill;
  published: PublishedSkill;
  prompts: TriggerPrompt[];
  faults: DraftTestPlan['faults'];
}

async function openTested(tools: DraftTestTools, name: string): Promise<Tested> {
  const published = await findPublished(tools, name);
  const { draft, skill } = await openDraftSkill(tools, published.name);
  const found = await readTriggerPrompts(tools.skills, skill);
  return { draft, skill, published, prompts: chosenPrompts(found), faults: found.faults };
}

/** Undefined without a published version, or if models cannot activate it. */
async function openPublished(
  tools: DraftTestTools,
  { published }: Tested,
  models: readonly string[],
): Promise<Trial | undefined> {
  const caller = createTestCaller('Draft test');
  try {
    return published.entry && (await openTrial({ name: published.name, caller, models }, tools));
  } catch (error) {
    if (error instanceof Problem && error.code === 'conflict') {
      return undefined;
    }
    throw error;
  }
}

/** Whether these are the prompts of the published version. */
async function hasPrompts(
  { skills }: DraftTestTools,
  { entry }: PublishedSkill,
  prompts: readonly TriggerPrompt[],
): Promise<boolean> {
  return (
    entry?.stored !== undefined &&
    isDeepStrictEqual(chosenPrompts(await readTriggerPrompts(skills, entry.stored)), prompts)
  );
}

/** The digest of the published instructions; undefined without any. */
async function mainOf(tools: SkillAdmin, published: PublishedSkill): Promise<string | undefined> {
  return findMain(await readPublishedManifest(tools, published))?.digest;
}

function numberOf({ entry, newest }: PublishedSkill): { published?: number } {
  return entry && newest !== undefined ? { published: newest } : {};
}

/**
 * The results of the last complete test of the published version with a model, by the given prompts. Undefined if one is
 * missing or failed, or if that test had another description or an app.
 */
async function findKnown(
  { triggerRuns }: DraftTestTools,
  { name, newest, entry }: PublishedSkill,
  prompts: readonly TriggerPrompt[],
  model: string,
): Promise<TriggerResult[] | undefined> {
  const heads = entry ? await triggerRuns.list(name) : [];
  const head = heads.find(
    ({ version, app, description, ended, summaries }) =>
      version === newest &&
      app === undefined &&
      description === undefined &&
      ended === 'whole' &&
      summaries.some((summary) => summary.model === model && summary.failed === 0),
  );
  if (!head) {
    return undefined;
  }
  const run = await triggerRuns.get(name, head.id);
  const keyOf = ({ text, expect }: TriggerPrompt) => JSON.stringify([text, expect]);
  const byPrompt = new Map(
    run.results.flatMap((result) => {
      const prompt = run.prompts[result.prompt];
      return prompt && result.model === model ? [[keyOf(prompt), result] as const] : [];
    }),
  );
  const found = prompts.map((prompt, at) => {
    const result = byPrompt.get(keyOf(prompt));
    return result && { ...result, prompt: at };
  });
  return found.every((result) => result !== undefined) ? found : undefined;
}

async function findLast(
  tools: DraftTestTools,
  caller: Caller,
  { draft, published }: Tested,
): Promise<DraftTest | undefined> {
  const stored = await tools.draftTests.findNewest(published.name, draft.created);
  if (!stored) {
    return undefined;
  }
  const { skill: _, checksum, main, results, ...head } = stored;
  const show = resultShower(tools, caller, published.name);
  const isCurrent = checksum === draft.checksum && main === (await mainOf(tools, published));
  const shown = (['published', 'draft'] as const).flatMap((side) =>
    results[side].map((result) => show(side, result)),
  );
  return { ...head, isCurrent, results: shown };
}

/**
 * Leaves out the names of skills on which a caller has no rights: tests offer all skills to the models. Leaves out
 * reasons of failures, unless the caller has the right to see them.
 *
 * @param tested the name of the skill, which may be new
 */
function resultShower(
  { skills }: DraftTestTools,
  caller: Caller,
  tested: string,
): (side: TestedSide, result: TriggerResult) => TestedResult {
  const { snapshot } = skills;
  const scope = scopeOf(caller);
  const covered = coveredEntries(skillEntries(snapshot), scope, snapshot);
  const names = new Set([tested, ...covered.map(({ name }) => name)]);
  const mayKnow = seesReasons(caller);
  return (side, { error, ...result }) => {
    const activated = result.activated.filter((name) => scope === 'all' || names.has(name));
    const hidden = result.activated.length - activated.length;
    const failure = error && (mayKnow ? error : withoutReason(error));
    return { ...result, side, activated, hidden, ...(failure && { error: failure }) };
  };
}

function withoutReason({ reason: _, ...error }: NonNullable<TriggerResult['error']>) {
  return error;
}

/** Reasons of failures name addresses and settings of models. */
function seesReasons({ permissions }: Caller): boolean {
  return grants(permissions.adminAccess, 'models');
}

const bareApp = appConfigSchema.parse({ id: 'trial', name: '' });

function wantedModels({ contents }: SkillAdmin): readonly string[] {
  return contents().skills.settings.publishing.triggerTests.models;
}

/** The models that a caller may use here: those of their groups, and those of the check; all for administrators of all skills. */
function usableModels(tools: DraftTestTools, { permissions }: Caller): ListedModel[] {
  const all = tools.models.usable({ ...permissions, models: 'all' }, bareApp);
  const wanted = new Set(wantedModels(tools));
  return all.filter(
    ({ config: { id } }) =>
      wanted.has(id) || grants(permissions.adminAccess, 'skills') || grants(permissions.models, id),
  );
}

function checkUsable(tools: DraftTestTools, caller: Caller, models: readonly string[]): void {
  const usable = new Set(usableModels(tools, caller).map(({ config }) => config.id));
  const at = models.findIndex((id) => !usable.has(id));
  if (at >= 0) {
    throw problem(
      'invalid-request',
      `You cannot use the model '${models[at]}'. Choose another one.`,
      {
        issues: [
          { path: `models.${at}`, code: 'unknown', message: `There is no model '${models[at]}'.` },
        ],
      },
    );
  }
}
