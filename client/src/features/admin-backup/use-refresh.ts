import { backupApi } from '@knowhow/shared/config/backup';
import { Problem } from '@knowhow/shared/problem';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/call.ts';

/**
 * After a restore everything may be different, also who may look at it.
 *
 * @param onEnded called when who is here may not be here any more
 */
export function useRefresh(onEnded: () => void): () => Promise<void> {
  const queryClient = useQueryClient();
  return async () => {
    try {
      // Not one of the page's queries: these lead to the sign-in page without a word.
      await call(backupApi.state, {});
    } catch (error) {
      if (error instanceof Problem && lostAccess.has(error.code)) {
        return onEnded();
      }
    }
    await queryClient.invalidateQueries();
  };
}

const lostAccess = new Set(['not-signed-in', 'forbidden']);
