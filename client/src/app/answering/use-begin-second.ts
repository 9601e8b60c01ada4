import { useQueryClient } from '@tanstack/react-query';
import { loadCode } from '../../ui/loading/load-code.ts';

/** Gives what has another model answer the last question too. */
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
