import { type ConversationSummary, conversationsApi } from '@knowhow/shared/chat/conversations';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { loadChunk } from '../../ui/loading/load-chunk.ts';
import { loadTexts } from '../../ui/loading/load-texts.ts';
import { useErrorToast } from '../../ui/text/use-error-toast.ts';

/**
 * Hides conversations at once, and deletes them when undo is no longer possible, or when the page is left. Must
 * be mounted as long as the page.
 */
export function useDeletions() {
  const { i18n } = useTranslation();
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

  async function remove(conversations: readonly ConversationSummary[]) {
    const ids = conversations.map(({ id }) => id);
    const show = (shown: readonly string[]) =>
      setHidden((before) => new Set([...before].filter((other) => !shown.includes(other))));
    setHidden((before) => new Set([...before, ...ids]));
    for (const id of ids) {
      waiting.current.add(id);
    }
    try {
      const [{ deleteLater }] = await Promise.all([
        loadChunk(() => import('./delete-later.tsx')),
        loadTexts('chat'),
      ]);
      deleteLater(conversations, {
        ...{ i18n, queryClient, showError, show, waiting: waiting.current },
      });
    } catch (error) {
      for (const id of ids) {
        waiting.current.delete(id);
      }
      show(ids);
      showError(error);
    }
  }

  return { hidden, remove };
}
