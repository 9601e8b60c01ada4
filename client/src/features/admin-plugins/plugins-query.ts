import { type Plugin, pluginsApi } from '@knowhow/shared/skills/plugins';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { query } from '../../api/query.ts';
import { refreshSkills } from '../../api/refresh-skills.ts';
import type { Input } from '../../api/request.ts';
import { useErrorToast } from '../../ui/text/use-error-toast.ts';

export const pluginsQuery = query(pluginsApi.list, {});

export type PluginChange = Input<typeof pluginsApi.update>['body'];

/** Updates a plugin, and refreshes it and its skills. */
export function useChangePlugin({ id }: Plugin) {
  const queryClient = useQueryClient();
  const showError = useErrorToast();
  return useMutation({
    mutationFn: (body: PluginChange) => call(pluginsApi.update, { params: { id }, body }),
    onSuccess: (changed) =>
      queryClient.setQueryData(
        pluginsQuery.queryKey,
        (known) =>
          known && { plugins: known.plugins.map((each) => (each.id === id ? changed : each)) },
      ),
    onError: showError,
    onSettled: () => refreshSkills(queryClient),
  });
}

/** Deletes a plugin with its skills. */
export function useDeletePlugin({ id }: Plugin) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => call(pluginsApi.remove, { params: { id } }),
    onSuccess: () => refreshSkills(queryClient),
  });
}
