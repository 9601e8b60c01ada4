import type { QueryClient } from '@tanstack/react-query';

/** Invalidates everything that shows skills: lists, access, history and palette. */
export function refreshSkills(queryClient: QueryClient): Promise<void> {
  return queryClient.invalidateQueries({
    predicate: ({ queryKey: [path] }) => /^\/api\/(admin|skills)\b/.test(String(path)),
  });
}
