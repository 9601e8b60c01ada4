import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useRunningConversations } from '../features/turn/turn-context.ts';
import { loadCode } from '../ui/load-code.ts';

/** Shows the title that a model gives a conversation after its first answer, in the other tabs too. */
export function useWrittenTitles(): void {
  const queryClient = useQueryClient();
  const running = useRunningConversations();
  const before = useRef(running);
  useEffect(() => {
    const ended = [...before.current].filter((id) => !running.has(id));
    before.current = running;
    for (const id of ended) {
      loadCode(() => import('./take-title.ts'))
        .then(({ takeTitle }) => takeTitle(id, queryClient))
        // Without it the first title stays until the list is loaded again.
        .catch(() => undefined);
    }
  }, [running, queryClient]);
}
