import { useQueryClient } from '@tanstack/react-query';
import { loadCode } from '../../ui/loading/load-code.ts';

/** Returns a function that lets another model also answer the last question. */
export function useBeginSecond(
  conversationId: string,
  onError: (error: unknown) => void,
): (model: string) => void {
  const queryClient = useQueryClient();
  return (model) => {
    loadCode(() => import('./begin-second.ts'))
      .then(({ beginSecond }) => beginSecond(queryClient, { conversationId, model }))
      .catch(onError);
  };
}
