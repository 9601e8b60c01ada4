import {
  describeFailure,
  type TriggerPrompt,
  type TriggerResult,
  type TriggerSummary,
} from '@knowhow/shared/skills/trigger-tests';
import { renderTable } from './render-table.ts';

/** Evaluation of one skill's prompts. */
export interface Evaluation {
  skill: string;
  prompts: readonly TriggerPrompt[];
  results: readonly TriggerResult[];
  summaries: readonly TriggerSummary[];
}

/** An evaluation of an earlier run. */
export type FormerEvaluation = Omit<Evaluation, 'summaries'>;

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
export function renderEvaluation(
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
export function hasCommon(
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
