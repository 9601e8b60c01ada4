import type { AttentionFinding } from '@knowhow/shared/skills/skill-attention';
import type { TriggerRunHead, TriggerSummary } from '@knowhow/shared/skills/trigger-tests';

type Fall = Extract<AttentionFinding, { reason: 'triggers' }>;

/** Minimum number of answered prompts in each run. */
const minAnswered = 3;
/** Percentage points by which the share of right answers must have fallen. */
const minFall = 10;

/**
 * Compares the newest trigger test of a skill with each model with the one before in the same app with as many prompts.
 * Finds the model whose share of right answers has fallen most; undefined if none has fallen enough. Trials of other
 * descriptions, stopped runs and runs in which a model did not answer do not count.
 *
 * @param heads newest first
 */
export function findFall(heads: readonly TriggerRunHead[]): Fall | undefined {
  const whole = heads.filter(
    ({ description, ended }) => description === undefined && ended === 'whole',
  );
  const models = new Set(whole.flatMap(({ summaries }) => summaries.map(({ model }) => model)));
  const falls = [...models].flatMap((model): Fall[] => {
    const shares = whole.flatMap(({ app, total, at, summaries }) => {
      const summary = summaries.find((each) => each.model === model);
      const share = summary && shareOf(summary);
      return share === undefined ? [] : [{ app, total, at, share }];
    });
    const [now, ...others] = shares;
    const then = others.find(({ app, total }) => app === now?.app && total === now?.total);
    return now && then && then.share - now.share >= minFall
      ? [{ reason: 'triggers', model, share: now.share, before: then.share, at: now.at }]
      : [];
  });
  return falls.toSorted((one, other) => other.before - other.share - (one.before - one.share))[0];
}

/** Right answers in per cent, rounded; undefined with too few, and for what is no language model. */
function shareOf({ onlyRanking, wanted, hits, unwanted, wrongHits }: TriggerSummary) {
  const answered = wanted + unwanted;
  return onlyRanking || answered < minAnswered
    ? undefined
    : Math.round((100 * (hits + unwanted - wrongHits)) / answered);
}
