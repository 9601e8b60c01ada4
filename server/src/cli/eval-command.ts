import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import {
  describeFailure,
  type TriggerPrompt,
  type TriggerResult,
  type TriggerSummary,
  triggerPromptSchema,
  triggerResultSchema,
} from '@knowhow/shared/skills/trigger-tests';
import { z } from 'zod';
import {
  openTrial,
  readTriggerPrompts,
  runTriggers,
  summarizeTriggers,
  type TrialTools,
} from '../modules/admin/index.ts';
import { createModelList } from '../modules/chat/index.ts';
import { allowVariables, openContentStore } from '../modules/content/index.ts';
import type { Caller } from '../modules/identity/index.ts';
import { findOllama, openModel } from '../modules/models/index.ts';
import {
  createSkillIndex,
  folderSource,
  openSkillStore,
  type StoredSkill,
  skillSources,
} from '../modules/skills/index.ts';
import { formatCount } from '../platform/lib/format-count.ts';
import { getErrorMessage } from '../platform/lib/get-error-message.ts';
import { createLog } from '../platform/lib/log.ts';
import { renderTable } from './render-table.ts';
import type { Terminal } from './terminal.ts';
import { UsageError } from './usage-error.ts';

export interface EvalOptions {
  models: readonly string[];
  app: string | undefined;
  json: boolean;
  /** A file with the JSON output of an earlier run. */
  against: string | undefined;
}

const formerSchema = z.array(
  z.looseObject({
    skill: z.string(),
    prompts: z.array(triggerPromptSchema),
    results: z.array(triggerResultSchema),
  }),
);

const timeoutMs = 120_000;
/** Anyone who can run commands on this machine may use everything. */
const caller: Caller = {
  id: 'command',
  name: 'knowhow eval',
  groups: [],
  anonymous: false,
  mayUse: true,
  permissions: {
    apps: 'all',
    models: 'all',
    prompts: 'all',
    skills: 'all',
    personalSkills: 'none',
    adminAccess: 'all',
    tools: new Set(),
  },
};

/**
 * Evaluates the trigger prompts of a folder's skills with models of this installation, together
 * with the installed skills. Returns the exit code: 1 if a prompt failed, or if there are none.
 */
export async function evalCommand(
  directory: string,
  options: EvalOptions,
  terminal: Terminal,
): Promise<number> {
  const previous = await readPrevious(options.against);
  const folder = await folderOf(directory);
  const { own, tools, close } = await openSkillsOf(folder, terminal);
  try {
    const evaluations: Evaluation[] = [];
    for (const skill of own()) {
      const found = await readTriggerPrompts(tools.skills, skill);
      for (const { path, message } of found.faults) {
        terminal.error(`${skill.id}: ${path}: ${message}`);
      }
      const prompts = found.isSaved ? found.prompts : found.found;
      if (prompts.length > 0) {
        evaluations.push(await evaluate(skill, prompts, { ...options, tools }, terminal));
      }
    }
    if (evaluations.length === 0) {
      terminal.error(`No prompts in ${directory}: none of its skills has any in evals/.`);
      return 1;
    }
    if (options.against !== undefined && !hasCommon(evaluations, previous)) {
      terminal.error(`${options.against} has none of these prompts with these models.`);
    }
    terminal.out(
      options.json ? JSON.stringify(evaluations, null, 2) : renderEvaluation(evaluations, previous),
    );
    const results = evaluations.flatMap((each) => each.results);
    return results.every(({ outcome }) => outcome === 'hit' || outcome === 'left-alone') ? 0 : 1;
  } finally {
    close();
  }
}

async function evaluate(
  { id: skill }: StoredSkill,
  prompts: readonly TriggerPrompt[],
  { models, app, tools }: EvalOptions & { tools: TrialTools },
  terminal: Terminal,
): Promise<Evaluation> {
  const trial = await openTrial({ name: skill, caller, models, app }, tools);
  terminal.error(`${skill}: ${formatCount(prompts.length * models.length, 'request')}`);
  const log = createLog('silent');
  const task = { trial, prompts, models, language: 'en', log, patienceMs: timeoutMs };
  const results = await runTriggers(task, new AbortController().signal, () => undefined);
  return { skill, prompts, results, summaries: summarizeTriggers(task, results, tools.models) };
}

/** The folder's skills take precedence over installed ones; models are opened without a server. */
async function openSkillsOf(folder: string, terminal: Terminal) {
  const installation = terminal.installation();
  const { contentsDirectory, variables, modelHosts = [] } = installation;
  const content = await openContentStore(contentsDirectory, allowVariables(variables));
  const contents = () => content.current;
  const installed = skillSources(content.current.skills, installation);
  const folders = [
    { kind: 'extra' as const, directory: folder, recursive: false },
    ...installed.sources,
  ];
  const limits = terminal.skillLimits();
  const folderSources = folders.map((each) => folderSource(each, limits));
  const skills = openSkillStore(folderSources);
  await skills.scanned;
  const onError = (error: unknown) => terminal.error(getErrorMessage(error));
  const index = createSkillIndex({ store: skills, config: () => contents().skills, onError });
  index.refresh();
  const found = await findOllama();
  const open = (config: Parameters<typeof openModel>[0], key: string | undefined) =>
    openModel(config, key);
  const sources = { variables, modelHosts };
  const keys = () => sources;
  const models = createModelList({ keys, contents, found: () => found, openModel: open });
  const tools: TrialTools = { contents, skills, index, models };
  return {
    own: () =>
      [...skills.snapshot.skills.values()].filter(({ source }) => source === folderSources[0]),
    tools,
    close: () => {
      index.close();
      skills.close();
    },
  };
}

async function folderOf(path: string): Promise<string> {
  const start = resolve(path);
  const state = await stat(start).catch(() => undefined);
  if (!state) {
    throw new UsageError(`Skill path does not exist: ${path}`);
  }
  if (state.isDirectory()) {
    return start;
  }
  if (/^skill\.md$/i.test(basename(start))) {
    return dirname(start);
  }
  throw new UsageError(`${path} is neither a folder nor a SKILL.md.`);
}

async function readPrevious(path: string | undefined): Promise<FormerEvaluation[]> {
  if (path === undefined) {
    return [];
  }
  const text = await readFile(path, 'utf8').catch(() => {
    throw new UsageError(`${path} cannot be read.`);
  });
  try {
    return formerSchema.parse(JSON.parse(text));
  } catch {
    throw new UsageError(`${path} is not what knowhow eval --json prints.`);
  }
}

/** Evaluation of one skill's prompts. */
interface Evaluation {
  skill: string;
  prompts: readonly TriggerPrompt[];
  results: readonly TriggerResult[];
  summaries: readonly TriggerSummary[];
}

/** An evaluation of an earlier run. */
type FormerEvaluation = Omit<Evaluation, 'summaries'>;

const words = {
  hit: 'activated',
  miss: 'not activated',
  'wrong-hit': 'activated, wrongly',
  'left-alone': 'left alone',
  failed: 'failed',
} as const satisfies Record<TriggerResult['outcome'], string>;

/** Maximum displayed length of a prompt. */
const maxShown = 60;

/** Prints each skill's metrics, and results that are wrong or differ from the earlier run. */
function renderEvaluation(
  evaluations: readonly Evaluation[],
  former: readonly FormerEvaluation[],
): string {
  return evaluations
    .map((evaluation) => {
      const before = outcomesOf(former.filter(({ skill }) => skill === evaluation.skill));
      const noted = evaluation.results.flatMap((result) => {
        const prompt = evaluation.prompts[result.prompt];
        const was = before.get(keyOf(prompt, result.model));
        const isOther = was !== undefined && was !== result.outcome;
        const isRight = result.outcome === 'hit' || result.outcome === 'left-alone';
        return prompt && (isOther || !isRight)
          ? [rowOf(prompt, result, evaluation.skill, isOther ? was : undefined)]
          : [];
      });
      return [
        evaluation.skill,
        renderTable(evaluation.summaries.map(summaryRow)),
        ...(evaluation.summaries.some(({ onlyRanking }) => onlyRanking) ? [rankingOnly] : []),
        ...(noted.length > 0 ? [renderTable(noted)] : []),
      ].join('\n');
    })
    .join('\n\n');
}

const rankingOnly =
  '  (ranking only): it is no language model, and only the ranking by words was tested';

function summaryRow(summary: TriggerSummary): string[] {
  const { model, onlyRanking, hits, wanted, wrongHits, unwanted, failed } = summary;
  const { hitRate, wrongHitRate, inputTokens, outputTokens, isEstimated, ms } = summary;
  return [
    `  ${model}${onlyRanking ? ' (ranking only)' : ''}`,
    `hits ${hits}/${wanted}${percent(hitRate)}`,
    `wrong hits ${wrongHits}/${unwanted}${percent(wrongHitRate)}`,
    `failed ${failed}`,
    `${isEstimated ? 'about ' : ''}${Math.round(inputTokens)} + ${Math.round(outputTokens)} tokens, ${(ms / 1000).toFixed(2)} s a prompt`,
  ];
}

function percent(rate: number | undefined): string {
  return rate === undefined ? '' : ` (${Math.round(rate * 100)} %)`;
}

function rowOf(
  { text }: TriggerPrompt,
  { model, outcome, activated, rank, error }: TriggerResult,
  skill: string,
  was: TriggerResult['outcome'] | undefined,
): string[] {
  const others = activated.filter((name) => name !== skill);
  const details = [
    ...(was ? [`before: ${words[was]}`] : []),
    ...(others.length > 0 ? [`instead: ${others.join(', ')}`] : []),
    ...(rank === undefined ? [] : [`rank ${rank} by words`]),
    ...(error ? [describeFailure(error)] : []),
  ];
  const line = text.replace(/\s+/g, ' ');
  const shown = line.length > maxShown ? `${line.slice(0, maxShown - 1)}…` : line;
  return [`  ${model}`, words[outcome], `"${shown}"`, details.join('; ')];
}

/** Whether an earlier run has a prompt and model in common. */
function hasCommon(
  evaluations: readonly Evaluation[],
  former: readonly FormerEvaluation[],
): boolean {
  return evaluations.some(({ skill, prompts, results }) => {
    const before = outcomesOf(former.filter((each) => each.skill === skill));
    return results.some(({ prompt, model }) => before.has(keyOf(prompts[prompt], model)));
  });
}

function outcomesOf(former: readonly FormerEvaluation[]): Map<string, TriggerResult['outcome']> {
  return new Map(
    former.flatMap(({ prompts, results }) =>
      results.map(({ prompt, model, outcome }) => [keyOf(prompts[prompt], model), outcome]),
    ),
  );
}

function keyOf(prompt: TriggerPrompt | undefined, model: string): string {
  return JSON.stringify([prompt?.text, prompt?.expect, model]);
}
