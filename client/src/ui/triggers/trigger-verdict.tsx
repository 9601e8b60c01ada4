import { isRight, type TriggerResult } from '@knowhow/shared/skills/trigger-tests';
import { IconAlertTriangle, IconCheck, IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import classes from './trigger-verdict.module.css';

type Outcome = TriggerResult['outcome'];

/** Names of the results of a trigger test. */
export const triggerOutcomeTexts = {
  hit: 'triggers.outcomes.hit',
  miss: 'triggers.outcomes.miss',
  'wrong-hit': 'triggers.outcomes.wrongHit',
  'left-alone': 'triggers.outcomes.leftAlone',
  failed: 'triggers.outcomes.failed',
} as const satisfies Record<Outcome, string>;

/** The result of a trigger test, and whether it is as expected. */
export function TriggerVerdict({ outcome }: { outcome: Outcome }) {
  const { t } = useTranslation();
  return (
    <span className={classes.verdict} data-outcome={getTone(outcome)}>
      <OutcomeIcon outcome={outcome} />
      {t(triggerOutcomeTexts[outcome])}
    </span>
  );
}

function OutcomeIcon({ outcome }: { outcome: Outcome }) {
  if (outcome === 'failed') {
    return <IconAlertTriangle size={16} aria-hidden />;
  }
  return isRight(outcome) ? <IconCheck size={16} aria-hidden /> : <IconX size={16} aria-hidden />;
}

function getTone(outcome: Outcome): string {
  return isRight(outcome) ? 'right' : outcome === 'failed' ? 'failed' : 'wrong';
}
