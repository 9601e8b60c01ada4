import { promptsApi } from '@knowhow/shared/prompts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { allItems } from '../../api/query.ts';
import { useLocalize } from '../../i18n/use-localize.ts';
import { paletteEntries } from './palette-entry.ts';
import { skillNamed, skillsLike, skillsOf } from './skills-of.ts';
import { firstWord } from './slash.ts';

interface EntriesOptions {
  appId: string;
  /** Whether they are needed: only then anything is asked for. */
  wanted: boolean;
  /** What is looked for. */
  query: string;
}

/** What an app's palette offers; of very many skills those that fit. */
export function usePaletteEntries({ appId, wanted, query }: EntriesOptions) {
  const localize = useLocalize();
  const enabled = wanted && appId !== '';
  const prompts = useQuery({ ...allItems(promptsApi.list, {}), enabled, staleTime: 30_000 });
  const skills = useQuery({ ...skillsOf(appId), enabled });
  const isSearched = enabled && query !== '' && skills.data?.isAll === false;
  const typed = firstWord(query);
  const found = useQuery({
    ...skillsLike(appId, query),
    enabled: isSearched,
    placeholderData: keepPreviousData,
  });
  const named = useQuery({ ...skillsLike(appId, typed), enabled: isSearched && typed !== query });
  const offered = (isSearched ? found.data?.items : undefined) ?? skills.data?.items;
  const entries = useMemo(
    () => paletteEntries(prompts.data ?? [], offered ?? [], localize),
    [prompts.data, offered, localize],
  );
  const searches = isSearched ? [found, ...(typed === query ? [] : [named])] : [];
  return {
    entries,
    /** Whether a skill has the first word for its name. */
    isNamed: [offered, named.data?.items].some((items) => skillNamed(items ?? [], typed)),
    isPending:
      prompts.isPending ||
      skills.isPending ||
      searches.some((each) => each.isPending || each.isPlaceholderData),
    error: prompts.error ?? skills.error ?? (isSearched ? (found.error ?? named.error) : null),
    retry: () => Promise.all([prompts, skills, ...searches].map((each) => each.refetch())),
  };
}
