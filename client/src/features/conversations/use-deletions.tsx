import { type ConversationSummary, conversationsApi } from '@knowhow/shared/conversations';
import { Problem } from '@knowhow/shared/problem';
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { everyQueryOf } from '../../api/query.ts';
import { useErrorToast } from '../../ui/use-error-toast.ts';

/** How long a deletion can be undone, in ms. */
const undoTime = 6000;

/**
 * Deletes conversations at once for the eye, and really when it can no longer be undone, or when the
 * page is left. Must live as long as the page does.
 */
export function useDeletions() {
  const { t } = useTranslation();
  const showError = useErrorToast();
  const queryClient = useQueryClient();
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const waiting = useRef(new Set<string>());

  useEffect(() => {
    function flush() {
      for (const id of waiting.current) {
        void call(conversationsApi.remove, { params: { id } }, { keepalive: true });
      }
      waiting.current.clear();
    }
    window.addEventListener('pagehide', flush);
    return () => window.removeEventListener('pagehide', flush);
  }, []);

  function show(id: string) {
    setHidden((before) => new Set([...before].filter((other) => other !== id)));
  }

  async function commit(id: string) {
    if (!waiting.current.delete(id)) {
      return;
    }
    try {
      await call(conversationsApi.remove, { params: { id } });
    } catch (error) {
      if (!(error instanceof Problem && error.code === 'not-found')) {
        show(id);
        showError(error);
      }
    }
    await queryClient.invalidateQueries(everyQueryOf(conversationsApi.list));
  }

  function remove({ id, title }: ConversationSummary) {
    waiting.current.add(id);
    setHidden((before) => new Set([...before, id]));

    function undo() {
      waiting.current.delete(id);
      show(id);
      notifications.hide(id);
    }

    notifications.show({
      id,
      autoClose: undoTime,
      closeButtonProps: { 'aria-label': t('action.close') },
      onClose: () => void commit(id),
      message: (
        <>
          {t('conversations.deleted', { title })}{' '}
          <Button variant="light" size="compact-sm" onClick={undo}>
            {t('action.undo')}
          </Button>
        </>
      ),
    });
  }

  return { hidden, remove };
}
