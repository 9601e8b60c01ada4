import {
  type Resolution,
  type SkillSourceItem,
  skillSourcesApi,
} from '@knowhow/shared/skills/skill-sources';
import { skillUpstreamsApi } from '@knowhow/shared/skills/skill-upstreams';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { endpointQueryFilter, query } from '../../api/query.ts';
import { refreshSkills } from '../../api/refresh-skills.ts';
import type { Input } from '../../api/request.ts';

export const sourcesQuery = query(skillSourcesApi.list, {});

export function sourceQuery(id: string) {
  return query(skillSourcesApi.get, { params: { id } });
}

export function proposalQuery(id: string) {
  return query(skillSourcesApi.proposal, { params: { id } });
}

/** What a proposed change does to the files of its skill. */
export function changeFilesQuery(id: string, key: string) {
  return query(skillSourcesApi.files, { params: { id }, query: { key } });
}

/** Refreshes all that depends on sources. */
export function useRefreshSources(): () => Promise<void> {
  const queryClient = useQueryClient();
  const { list, get, proposal } = skillSourcesApi;
  const { ofSource } = skillUpstreamsApi;
  return async () => {
    await Promise.all([
      ...[list, get, proposal, ofSource].map((each) =>
        queryClient.invalidateQueries(endpointQueryFilter(each)),
      ),
      refreshSkills(queryClient),
    ]);
  };
}

/** Looks for a new commit. A failure is shown with the source as well, so both refresh. */
export function useSyncSource(id: string) {
  const onSettled = useRefreshSources();
  return useMutation({
    mutationFn: () => call(skillSourcesApi.sync, { params: { id } }),
    onSettled,
  });
}

interface ChosenChanges {
  take: string[];
  resolve: Resolution[];
  /** Only of changes that are published. */
  reason?: string | undefined;
  asDrafts?: boolean;
}

/** Takes proposed changes, or saves them as drafts. */
export function useApplyChanges(id: string) {
  const { t } = useTranslation();
  const onSettled = useRefreshSources();
  return useMutation({
    mutationFn: ({ reason, ...choice }: ChosenChanges) =>
      call(skillSourcesApi.apply, {
        params: { id },
        body: { ...choice, ...(reason === undefined ? {} : { override: { reason } }) },
      }),
    // The list of changes that were taken is gone.
    onSuccess: (_, { take, asDrafts }) => {
      if (!asDrafts) {
        notifications.show({
          message: t('sources.taken', { count: take.length }),
          closeButtonProps: { 'aria-label': t('action.close') },
        });
      }
    },
    onSettled,
  });
}

/** Changes fields of a source, unless it has changed since it was read; null removes one. */
export function useUpdateSource({ source: { id }, checksum }: SkillSourceItem) {
  const onSuccess = useRefreshSources();
  return useMutation({
    mutationFn: (body: Input<typeof skillSourcesApi.update>['body']) =>
      call(skillSourcesApi.update, { params: { id }, body }, { ifMatch: checksum }),
    onSuccess,
  });
}

/** Removes a source. Its skills stay. */
export function useRemoveSource(id: string) {
  const onSuccess = useRefreshSources();
  return useMutation({
    mutationFn: () => call(skillSourcesApi.remove, { params: { id } }),
    onSuccess,
  });
}
