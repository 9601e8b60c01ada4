import { promptsApi } from '@knowhow/shared/prompts';
import { skillsApi } from '@knowhow/shared/skills';
import { useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import { allItems } from '../../api/query.ts';
import { useLocalize } from '../../i18n/use-localize.ts';
import { paletteEntries } from './palette-entry.ts';

/** What an app's palette offers. Asked for when it is `wanted`, and kept for half a minute. */
export function usePaletteEntries(appId: string, wanted: boolean) {
  const localize = useLocalize();
  const options = { enabled: wanted, staleTime: 30_000 };
  const [prompts, skills] = useQueries({
    queries: [
      { ...allItems(promptsApi.list, {}), ...options },
      { ...skillsOf(appId), ...options },
    ],
  });
  const entries = useMemo(
    () => paletteEntries(prompts.data ?? [], skills.data ?? [], localize),
    [prompts.data, skills.data, localize],
  );
  return {
    entries,
    isPending: prompts.isPending || skills.isPending,
    error: prompts.error ?? skills.error,
    retry: () => Promise.all([prompts.refetch(), skills.refetch()]),
  };
}

/** The query for the skills a user may choose in an app. */
export function skillsOf(appId: string) {
  return allItems(skillsApi.list, { query: { app: appId } });
}
