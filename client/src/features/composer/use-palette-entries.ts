import type { Prompt } from '@knowhow/shared/chat/prompts';
import { promptsApi } from '@knowhow/shared/chat/prompts';
import type { SkillSummary } from '@knowhow/shared/skills/skills';
import { keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { allItems } from '../../api/query.ts';
import { loadChunk } from '../../ui/loading/load-chunk.ts';
import { paletteEntries } from './palette-entry.ts';
import { appSkillsQuery, findSkillByName, matchingSkillsQuery } from './skills-of.ts';
import { firstWord } from './slash.ts';
import { userEntriesQuery, userEntryKeys } from './user-entries.ts';

interface EntriesOptions {
  appId: string;
  /** Whether they are needed; otherwise nothing is loaded. */
  wanted: boolean;
  /** The search query. */
  query: string;
}

const allPrompts = { ...allItems(promptsApi.list, {}), staleTime: 30_000 };
const noPrompts: Prompt[] = [];
const noSkills: SkillSummary[] = [];

/** The palette's search and ranking, loaded on demand because of its library. */
export const arrangeCode = queryOptions({
  queryKey: ['arrange-palette'],
  queryFn: async () => (await loadChunk(() => import('./arrange-palette.ts'))).arrangePalette,
  staleTime: Number.POSITIVE_INFINITY,
});

/** The palette entries of an app; matching skills if there are very many. */
export function usePaletteEntries({ appId, wanted, query }: EntriesOptions) {
  const { t, i18n } = useTranslation();
  const { language } = i18n;
  const enabled = wanted && appId !== '';
  const prompts = useQuery({ ...allPrompts, enabled });
  const skills = useQuery({ ...appSkillsQuery(appId), enabled });
  const own = useQuery({ ...userEntriesQuery(appId), enabled });
  const isSearched = enabled && query !== '' && skills.data?.isAll === false;
  const typed = firstWord(query);
  const found = useQuery({
    ...matchingSkillsQuery(appId, query),
    enabled: isSearched,
    placeholderData: keepPreviousData,
  });
  const named = useQuery({
    ...matchingSkillsQuery(appId, typed),
    enabled: isSearched && typed !== query,
  });
  const offered = (isSearched ? found.data?.items : undefined) ?? skills.data?.items ?? noSkills;
  const isRanked = isSearched && found.data !== undefined && !found.isPlaceholderData;
  const ownAnswer = own.data;
  const entries = useMemo(() => {
    const known = new Set(offered.map(({ name }) => name));
    const others = [...(ownAnswer?.skills ?? []), ...(ownAnswer?.recent ?? [])];
    const own = new Map(others.map((skill) => [skill.name, skill]));
    const missing = [...own.values()].filter(({ name }) => !known.has(name));
    return paletteEntries(prompts.data ?? noPrompts, [...offered, ...missing], {
      language,
      yours: t('ownSkill.yours'),
      deprecated: (successor) =>
        successor === undefined ? t('deprecated.badge') : t('deprecated.instead', { successor }),
    });
  }, [prompts.data, offered, ownAnswer, language, t]);
  const searches = isSearched ? [found, ...(typed === query ? [] : [named])] : [];
  return {
    entries,
    own: useMemo(() => userEntryKeys(ownAnswer), [ownAnswer]),
    /** Whether the server has ranked the skills. */
    isRanked,
    /** Number of skills that are not loaded, but can be found by typing. */
    more: isSearched ? 0 : Math.max(0, (skills.data?.total ?? 0) - offered.length),
    /** Whether the first word is the name of a skill. */
    isNamed: [offered, named.data?.items].some((items) => findSkillByName(items ?? [], typed)),
    isPending:
      prompts.isPending ||
      skills.isPending ||
      own.isLoading ||
      searches.some((each) => each.isPending || each.isPlaceholderData),
    error: prompts.error ?? skills.error ?? (isSearched ? (found.error ?? named.error) : null),
    retry: () => Promise.all([prompts, skills, ...searches].map((each) => each.refetch())),
  };
}

/** Returns a function that prefetches an app's palette. */
export function usePrefetchPalette(appId: string): () => void {
  const queryClient = useQueryClient();
  return () => {
    if (appId !== '') {
      void queryClient.prefetchQuery(appSkillsQuery(appId));
      void queryClient.prefetchQuery(allPrompts);
      void queryClient.prefetchQuery(userEntriesQuery(appId));
      void queryClient.prefetchQuery(arrangeCode);
    }
  };
}
