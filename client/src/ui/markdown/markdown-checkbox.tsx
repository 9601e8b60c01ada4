import { useTranslation } from 'react-i18next';

/** The box of a task list: an icon, not an input. */
export function MarkdownCheckbox({ checked }: { checked?: boolean }) {
  const { t } = useTranslation();
  return (
    <span role="img" aria-label={checked ? t('answer.taskDone') : t('answer.taskOpen')}>
      {checked ? '☑' : '☐'}
    </span>
  );
}
