import type { QueryClient } from '@tanstack/react-query';

/** Invalidates everything that shows skills: lists, access, versions and palette. */
export function refreshSkills(queryClient: QueryClient): Promise<void> {
  return queryClient.invalidateQueries({
    predicate: ({ queryKey: [path] }) =>
      /^\/api\/(admin|skills|skill-versions)\b/.test(String(path)),
  });
}
