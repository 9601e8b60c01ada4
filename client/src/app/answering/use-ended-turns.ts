import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useRunningConversations } from '../../features/turn/turn-context.ts';
import { loadChunk } from '../../ui/loading/load-chunk.ts';

/** Runs the follow-up of a finished answer, wherever in Knowhow the reader is by then. */
export function useEndedTurns(): void {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const { i18n: translations } = useTranslation();
  const running = useRunningConversations();
  const begun = useRef(new Map<string, number>());
  useEffect(() => {
    const now = Date.now();
    for (const id of running) {
      begun.current.set(id, begun.current.get(id) ?? now);
    }
    for (const [id, at] of begun.current) {
      if (!running.has(id)) {
        begun.current.delete(id);
        const open = () => navigate(`/c/${id}`);
        loadChunk(() => import('./end-turn.ts'))
          .then(({ endTurn }) => endTurn(id, { queryClient, translations, ms: now - at, open }))
          // Otherwise the first title would stay until the list is reloaded.
          .catch(() => undefined);
      }
    }
  }, [running, queryClient, translations, navigate]);
}
