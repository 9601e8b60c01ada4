import type { QueryClient } from '@tanstack/react-query';

/** Invalidates everything that shows skills: lists, access, versions, drafts, reviews and palette. */
export function refreshSkills(queryClient: QueryClient): Promise<void> {
  return queryClient.invalidateQueries({
    predicate: ({ queryKey: [path] }) =>
      /^\/api\/(admin|skills|skill-(versions|drafts|reviews))\b/.test(String(path)),
  });
}
