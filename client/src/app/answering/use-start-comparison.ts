import { useQueryClient } from '@tanstack/react-query';
import { loadChunk } from '../../ui/loading/load-chunk.ts';

/** Returns a function that lets another model also answer the last question. */
export function useStartComparison(
  conversationId: string,
  onError: (error: unknown) => void,
): (model: string) => void {
  const queryClient = useQueryClient();
  return (model) => {
    loadChunk(() => import('./start-comparison.ts'))
      .then(({ startComparison }) => startComparison(queryClient, { conversationId, model }))
      .catch(onError);
  };
}
