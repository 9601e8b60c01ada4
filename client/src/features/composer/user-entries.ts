import { type FavouriteKind, favouritesApi } from '@knowhow/shared/skills/favourites';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { z } from 'zod';
import { call } from '../../api/call.ts';
import { endpointQueryFilter, query } from '../../api/query.ts';
import { entryKey } from './palette-entry.ts';

/** The user's entries, as keys in order. */
export interface UserEntries {
  favourites: ReadonlySet<string>;
  recent: ReadonlySet<string>;
}

type Answer = z.output<typeof favouritesApi.list.response>;

/** The user's favourites and recently used skills in an app. */
export function userEntriesQuery(appId: string) {
  return queryOptions({
    ...query(favouritesApi.list, { query: { app: appId } }),
    staleTime: 30_000,
    // Optional: do not delay the palette by retrying.
    retry: false,
  });
}

/** The entry keys of a response. */
export function userEntryKeys(answer: Answer | undefined): UserEntries {
  const skillKeys = (skills: Answer['skills']) => skills.map(({ name }) => entryKey('skill', name));
  const prompts = answer?.prompts.map((id) => entryKey('prompt', id)) ?? [];
  const favourites = new Set([...skillKeys(answer?.skills ?? []), ...prompts]);
  const recent = skillKeys(answer?.recent ?? []).filter((key) => !favourites.has(key));
  return { favourites, recent: new Set(recent) };
}

/** The current favourites, and a toggle. */
export function useFavourites(appId: string, wanted: boolean) {
  const queryClient = useQueryClient();
  const { data } = useQuery({ ...userEntriesQuery(appId), enabled: wanted && appId !== '' });
  const { favourites } = useMemo(() => userEntryKeys(data), [data]);
  const { mutate, error } = useMutation({
    mutationFn: (body: { kind: FavouriteKind; id: string; isFavourite: boolean }) =>
      call(favouritesApi.set, { body }),
    onSettled: () => queryClient.invalidateQueries(endpointQueryFilter(favouritesApi.list)),
  });
  return {
    /** False for a guest, who has no favourites. */
    canKeep: data?.canKeep ?? false,
    has: (kind: FavouriteKind, id: string) => favourites.has(entryKey(kind, id)),
    toggle: (kind: FavouriteKind, id: string) =>
      mutate({ kind, id, isFavourite: !favourites.has(entryKey(kind, id)) }),
    error,
  };
}
