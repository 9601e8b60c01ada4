import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useToolLabel } from '../../../ui/text/use-tool-label.ts';
import type { WaitingCardProps } from './call-props.ts';
import { ConsentCard } from './consent-card.tsx';
import { QuestionCard } from './question-card.tsx';
import { useCardFocus } from './use-card-focus.ts';
import classes from './waiting-card.module.css';

/** The card for a call that is waiting for its user. */
export function WaitingCard({ waitsFor }: WaitingCardProps) {
  const { t } = useTranslation();
  const card = useRef<HTMLElement>(null);
  const { title, source } = useToolLabel()(waitsFor);
  const heading = t(waitsFor.type === 'consent' ? 'toolCall.consent' : 'toolCall.asks', {
    title,
    source,
  });
  useCardFocus(card, heading);
  return (
    <section className={classes.card} ref={card} tabIndex={-1} aria-label={heading}>
      <h3 className={classes.heading}>{heading}</h3>
      {waitsFor.type === 'consent' ? (
        <ConsentCard waitsFor={waitsFor} />
      ) : (
        <QuestionCard key={waitsFor.question} question={waitsFor} />
      )}
    </section>
  );
}
