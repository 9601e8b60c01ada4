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

  function show(ids: readonly string[]) {
    setHidden((before) => new Set([...before].filter((other) => !ids.includes(other))));
  }

  async function commit(ids: readonly string[]) {
    for (const id of ids) {
      if (!waiting.current.delete(id)) {
        continue;
      }
      try {
        await call(conversationsApi.remove, { params: { id } });
      } catch (error) {
        if (!(error instanceof Problem && error.code === 'not-found')) {
          show([id]);
          showError(error);
        }
      }
    }
    await queryClient.invalidateQueries(everyQueryOf(conversationsApi.list));
  }

  function remove(conversations: readonly ConversationSummary[]) {
    const ids = conversations.map(({ id }) => id);
    const [{ id: toast, title } = { id: '', title: '' }] = conversations;
    const count = ids.length;
    for (const id of ids) {
      waiting.current.add(id);
    }
    setHidden((before) => new Set([...before, ...ids]));

    function undo() {
      for (const id of ids) {
        waiting.current.delete(id);
      }
      show(ids);
      notifications.hide(toast);
    }

    notifications.show({
      id: toast,
      autoClose: undoTime,
      closeButtonProps: { 'aria-label': t('action.close') },
      onClose: () => void commit(ids),
      message: (
        <>
          {count === 1
            ? t('conversations.deleted', { title })
            : t('conversations.deletedCount', { count })}{' '}
          <Button variant="light" size="compact-sm" onClick={undo}>
            {t('action.undo')}
          </Button>
        </>
      ),
    });
  }

  return { hidden, remove };
}
