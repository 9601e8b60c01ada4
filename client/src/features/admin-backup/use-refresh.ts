import { backupApi } from '@knowhow/shared/config/backup';
import { Problem } from '@knowhow/shared/problem';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/call.ts';

/**
 * After a restore everything may have changed, including the user's permissions.
 *
 * @param onEnded called if the user may no longer be here
 */
export function useRefresh(onEnded: () => void): () => Promise<void> {
  const queryClient = useQueryClient();
  return async () => {
    try {
      // Not a page query: those would redirect to the sign-in page without explanation.
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
