import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocalize } from '../../../i18n/use-localize.ts';
import { DetailsPanel } from '../facts.tsx';
import { asList, asLocalized, asRecord } from '../items/config-value.ts';
import { useField } from '../items/draft-context.ts';
import classes from './prompt-preview.module.css';

/** The text as it would be inserted, with the default values of its variables. */
export function PromptPreview() {
  const { t } = useTranslation();
  const localize = useLocalize();
  const text = localize(asLocalized(useField('prompt').value));
  const variables = new Map(
    asList(useField('variables').value)
      .map(asRecord)
      .map((variable) => [variable.name, variable]),
  );
  // Every second part was in brackets.
  const parts = text.split(/\[(\w+)\]/);

  function filled(name: string): string {
    const { defaultValue, label } = variables.get(name) ?? {};
    return localize(asLocalized(defaultValue)) || localize(asLocalized(label)) || name;
  }

  return (
    <DetailsPanel title={t('adminConfig.prompt.preview')}>
      {text === '' && <p>{t('adminConfig.prompt.previewEmpty')}</p>}
      <div className={classes.text}>
        {parts.map((part, index) => {
          const key = `${index} ${part}`;
          if (index % 2 === 0) {
            return <Fragment key={key}>{part}</Fragment>;
          }
          return variables.has(part) ? <mark key={key}>{filled(part)}</mark> : `[${part}]`;
        })}
      </div>
    </DetailsPanel>
  );
}
