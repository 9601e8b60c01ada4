import type {
  TriggerPrompt,
  TriggerResult,
  TriggerSummary,
} from '@knowhow/shared/skills/trigger-tests';
import { limitConcurrency } from '../../../platform/lib/limit-concurrency.ts';
import type { Log } from '../../../platform/lib/log.ts';
import type { ModelList } from '../../chat/index.ts';
import type { TurnUsage } from '../../identity/index.ts';
import { findProvider } from '../../models/index.ts';
import type { Trial } from './trigger-trial.ts';
import { tryPrompt } from './try-prompt.ts';

export interface TriggerTask {
  trial: Trial;
  prompts: readonly TriggerPrompt[];
  models: readonly string[];
  /** Timeout per prompt, in milliseconds. */
  patienceMs: number;
  language: string;
  log: Log;
  /** Counts each prompt as a turn; not counted by default. */
  takeTurn?: (() => Promise<TurnUsage>) | undefined;
}

/** Number of concurrent prompts. */
const maxConcurrent = 4;

/**
 * Sends each prompt to each model, with limited concurrency.
 *
 * @param onResult called with each result, in any order; not after the signal
 * @returns the results until the end or the signal, in the order of the prompts
 */
export async function runTriggers(
  { prompts, models, ...task }: TriggerTask,
  signal: AbortSignal,
  onResult: (result: TriggerResult) => void,
): Promise<TriggerResult[]> {
  const limit = limitConcurrency(maxConcurrent);
  const serialize = limitConcurrency(1);
  const results: TriggerResult[] = [];
  const tasks = prompts.flatMap((prompt, at) => models.map((model) => ({ prompt, at, model })));
  await Promise.all(
    tasks.map(({ prompt, at, model }) =>
      limit(async () => {
        const tried = signal.aborted
          ? undefined
          : await tryPrompt({ ...task, prompt, model, oneAtATime: serialize }, signal);
        if (tried && !signal.aborted) {
          const result = { prompt: at, ...tried };
          results.push(result);
          onResult(result);
        }
      }),
    ),
  );
  const sortKey = ({ prompt, model }: TriggerResult) =>
    prompt * models.length + models.indexOf(model);
  return results.sort((one, other) => sortKey(one) - sortKey(other));
}

/** Summarizes the results per model. */
export function summarizeTriggers(
  { prompts, models }: Pick<TriggerTask, 'prompts' | 'models'>,
  results: readonly TriggerResult[],
  list: ModelList,
): TriggerSummary[] {
  return models.map((model) => {
    const own = results.filter((result) => result.model === model);
    const answered = own.filter(({ outcome }) => outcome !== 'failed');
    const wanted = answered.filter(({ prompt }) => prompts[prompt]?.expect);
    const count = (outcome: TriggerResult['outcome']) =>
      own.filter((result) => result.outcome === outcome).length;
    const mean = (value: (result: TriggerResult) => number) =>
      answered.reduce((sum, result) => sum + value(result), 0) / (answered.length || 1);
    const unwanted = answered.length - wanted.length;
    return {
      model,
      onlyRanking: isOnlyRanking(model, list),
      wanted: wanted.length,
      hits: count('hit'),
      ...(wanted.length > 0 ? { hitRate: count('hit') / wanted.length } : {}),
      unwanted,
      wrongHits: count('wrong-hit'),
      ...(unwanted > 0 ? { wrongHitRate: count('wrong-hit') / unwanted } : {}),
      failed: count('failed'),
      inputTokens: mean(({ inputTokens }) => inputTokens),
      outputTokens: mean(({ outputTokens }) => outputTokens),
      isEstimated: answered.some(({ isEstimated }) => isEstimated),
      ms: mean(({ ms }) => ms),
    };
  });
}

/** Without any API key, the only model selects skills by words. */
export function isOnlyRanking(id: string, models: ModelList): boolean {
  const model = models.all().find(({ config }) => config.id === id);
  return model !== undefined && findProvider(model.config).kind === 'built-in';
}
