import { isRecord } from '@knowhow/shared/is-record';
import { useTranslation } from 'react-i18next';
import { ScrollingGroup } from '../../../ui/layout/scrolling-group.tsx';
import { PlainText } from '../../../ui/text/plain-text.tsx';
import { revealHiddenCharacters } from '../../../ui/text/visible-text.ts';
import { isEmptyInput } from './is-empty-input.ts';
import classes from './waiting-card.module.css';

/** The arguments of a tool call, readable, with hidden characters made visible. */
export function ArgumentList({ input }: { input: unknown }) {
  const { t } = useTranslation();
  if (isEmptyInput(input)) {
    return <p className={classes.note}>{t('toolCall.withoutArguments')}</p>;
  }
  const entries = isRecord(input) ? Object.entries(input) : [['', input] as const];
  return (
    <>
      <p className={classes.note}>{t('toolCall.consentAbout')}</p>
      <ScrollingGroup label={t('toolCall.arguments')} className={classes.arguments}>
        <dl>
          {entries.map(([name, value]) => (
            <div key={name}>
              <dt>{revealHiddenCharacters(name)}</dt>
              <dd>
                <PlainText text={revealHiddenCharacters(formatArgument(value))} />
              </dd>
            </div>
          ))}
        </dl>
      </ScrollingGroup>
    </>
  );
}

function formatArgument(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '');
}
