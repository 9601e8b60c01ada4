import { notifications } from '@mantine/notifications';
import { useTranslation } from 'react-i18next';
import { useErrorText } from './use-error-text.ts';

/** Shows an error that has no place on the page. */
export function useErrorToast(): (error: unknown) => void {
  const { t } = useTranslation();
  const errorText = useErrorText();
  return (error) => {
    const { title, detail, original } = errorText(error);
    notifications.show({
      color: 'red',
      title,
      message: detail || original,
      closeButtonProps: { 'aria-label': t('action.close') },
    });
  };
}
