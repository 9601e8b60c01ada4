import { Textarea } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from './fields.module.css';
import { useDraft } from './items/draft-context.ts';

/** The whole item as JSON: for unknown fields and invalid files. */
export function JsonField() {
  const { t } = useTranslation();
  const { item, text, setText, form } = useDraft();
  return (
    <Textarea
      label={t('adminConfig.json.label', { path: item.path })}
      description={t('adminConfig.json.about')}
      classNames={{ input: classes.code }}
      value={text ?? ''}
      error={form.errors['']}
      onChange={(event) => {
        setText(event.currentTarget.value);
        form.clearErrors();
      }}
      autosize
      minRows={16}
      spellCheck={false}
      autoCapitalize="none"
      autoComplete="off"
    />
  );
}
