import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useTranslation } from 'react-i18next';
import { useErrorToast } from './text/use-error-toast.ts';

/** How long a change can be undone from its toast, in ms. */
const undoTime = 8000;

interface Done {
  /** A sentence about the change. */
  message: string;
  undo: () => unknown;
}

/** Shows a toast with an undo button. */
export function useUndoToast(): (done: Done) => void {
  const { t } = useTranslation();
  const showError = useErrorToast();
  return ({ message, undo }) => {
    const id = notifications.show({
      autoClose: undoTime,
      closeButtonProps: { 'aria-label': t('action.close') },
      message: (
        <>
          {message}{' '}
          <Button
            variant="light"
            size="compact-sm"
            onClick={() => {
              notifications.hide(id);
              Promise.resolve(undo()).catch(showError);
            }}
          >
            {t('action.undo')}
          </Button>
        </>
      ),
    });
  };
}
