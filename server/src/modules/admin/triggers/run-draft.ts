import type { DraftComparison, TestedSide } from '@knowhow/shared/skills/draft-tests';
import {
  isRight,
  type TriggerPrompt,
  type TriggerResult,
} from '@knowhow/shared/skills/trigger-tests';
import type { Log } from '../../../platform/lib/log.ts';
import type { CountedPrompts } from './count-prompts.ts';
import { runTriggers } from './run-triggers.ts';
import type { Trial } from './trigger-trial.ts';

/** A test of a draft, ready to be run. */
export interface DraftRun {
  prompts: readonly TriggerPrompt[];
  models: readonly string[];
  trials: { draft: Trial; published: Trial | undefined };
  /** Results of the published version, by model. */
  known: ReadonlyMap<string, readonly TriggerResult[]>;
  /** Models with which the published version is tested, too. */
  fresh: readonly string[];
  language: string;
  counted: Pick<CountedPrompts, 'takeTurn' | 'stop'>;
}

/** Maximum duration of a prompt. The author does not set it: prompts without an answer are not compared. */
const patienceMs = 120_000;

type SideResults = Record<TestedSide, TriggerResult[]>;

/** Sends the prompts with the draft, then with the published version. Returns the results until the end or the signal. */
export async function runDraft(
  { prompts, models, trials, known, fresh, language, counted }: DraftRun,
  log: Log,
  onResult: (side: TestedSide, result: TriggerResult) => void,
): Promise<SideResults> {
  const { takeTurn, stop } = counted;
  const task = { prompts, language, patienceMs, log, takeTurn };
  const run = (side: TestedSide, trial: Trial | undefined, asked: readonly string[]) =>
    trial && asked.length > 0
      ? runTriggers({ ...task, trial, models: asked }, stop, (result) => onResult(side, result))
      : [];
  const draft = await run('draft', trials.draft, models);
  const published = await run('published', trials.published, fresh);
  return { draft, published: [...[...known.values()].flat(), ...published] };
}

/**
 * Compares the right results of a model. Prompts that failed with the published version are left out; those that
 * failed with the draft alone count as wrong.
 *
 * @param isCompared whether the published version was tested, too
 */
export function compareSides(
  model: string,
  results: SideResults,
  isCompared: boolean,
): Omit<DraftComparison, 'onlyRanking'> {
  const answered = (side: TestedSide) =>
    results[side].filter((result) => result.model === model && result.outcome !== 'failed');
  const drafts = answered('draft');
  if (!isCompared) {
    return { model, draft: countRight(drafts), compared: drafts.length };
  }
  const published = answered('published');
  const prompts = new Set(published.map(({ prompt }) => prompt));
  return {
    model,
    draft: countRight(drafts.filter(({ prompt }) => prompts.has(prompt))),
    published: countRight(published),
    compared: published.length,
  };
}

function countRight(results: readonly TriggerResult[]): number {
  return results.filter(({ outcome }) => isRight(outcome)).length;
}
