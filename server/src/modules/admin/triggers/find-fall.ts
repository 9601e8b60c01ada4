import type { AttentionFinding } from '@knowhow/shared/skills/skill-attention';
import type { TriggerRunHead, TriggerSummary } from '@knowhow/shared/skills/trigger-tests';

type Fall = Extract<AttentionFinding, { reason: 'triggers' }>;

/** Minimum number of answered prompts in each run. */
const minAnswered = 3;
/** Percentage points by which the share of right answers must have fallen. */
const minFall = 10;

/**
 * Compares the newest trigger test of a skill with the one before in the same app with as many prompts. Finds the model whose share of right
 * answers has fallen most; undefined if none has fallen enough. Trials of other descriptions and stopped runs do not
 * count.
 *
 * @param heads newest first
 */
export function findFall(heads: readonly TriggerRunHead[]): Fall | undefined {
  const [newest, ...others] = heads.filter(
    ({ description, ended }) => description === undefined && ended === 'whole',
  );
  const before = others.find(({ app, total }) => app === newest?.app && total === newest?.total);
  if (!newest || !before) {
    return undefined;
  }
  const falls = newest.summaries.flatMap((now): Fall[] => {
    const then = before.summaries.find(({ model }) => model === now.model);
    const [share, former] = [shareOf(now), then && shareOf(then)];
    return share !== undefined && former !== undefined && former - share >= minFall
      ? [{ reason: 'triggers', model: now.model, share, before: former, at: newest.at }]
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
