import { type ConversationSummary, conversationsApi } from '@knowhow/shared/chat/conversations';
import { Problem } from '@knowhow/shared/problem';
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { QueryClient } from '@tanstack/react-query';
import type { i18n } from 'i18next';
import { flushSync } from 'react-dom';
import { call } from '../../api/call.ts';
import { endpointQueryFilter } from '../../api/query.ts';

/** How long a deletion can be undone, in ms. */
const undoTime = 6000;

interface Surroundings {
  i18n: i18n;
  queryClient: QueryClient;
  showError: (error: unknown) => void;
  /** Shows them in the list again. */
  show: (ids: readonly string[]) => void;
  /** IDs of those that are not deleted yet. */
  waiting: Set<string>;
}

/** Deletes hidden conversations after their undo toast has closed. */
export function deleteLater(
  conversations: readonly ConversationSummary[],
  { i18n, queryClient, showError, show, waiting }: Surroundings,
): void {
  const { t } = i18n;
  const ids = conversations.map(({ id }) => id);
  const [{ id: toast, title } = { id: '', title: '' }] = conversations;
  const count = ids.length;
  async function commit() {
    for (const id of ids) {
      if (!waiting.delete(id)) {
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
    await queryClient.invalidateQueries(endpointQueryFilter(conversationsApi.list));
  }

  function undo() {
    for (const id of ids) {
      waiting.delete(id);
    }
    // The undo button disappears with its toast.
    flushSync(() => show(ids));
    document.querySelector<HTMLElement>(`nav a[href^="/c/${toast}"]`)?.focus();
    notifications.hide(toast);
  }

  notifications.show({
    id: toast,
    autoClose: undoTime,
    closeButtonProps: { 'aria-label': t('action.close') },
    onClose: () => void commit(),
    message: (
      <>
        {count === 1 ? t('rows.deleted', { title }) : t('rows.deletedCount', { count })}{' '}
        <Button variant="light" size="compact-sm" onClick={undo}>
          {t('action.undo')}
        </Button>
      </>
    ),
  });
}
