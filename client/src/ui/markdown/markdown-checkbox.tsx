import { useTranslation } from 'react-i18next';

/** The box of a task list: a sign, not something to tick. */
export function MarkdownCheckbox({ checked }: { checked?: boolean }) {
  const { t } = useTranslation();
  return (
    <span role="img" aria-label={checked ? t('answer.taskDone') : t('answer.taskOpen')}>
      {checked ? '☑' : '☐'}
    </span>
  );
}
