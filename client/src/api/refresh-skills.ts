import type { QueryClient } from '@tanstack/react-query';

/** Asks again for everything that a change of a skill may show in: lists, access, history, palette. */
export function refreshSkills(queryClient: QueryClient): Promise<void> {
  return queryClient.invalidateQueries({
    predicate: ({ queryKey: [path] }) => /^\/api\/(admin|skills)\b/.test(String(path)),
  });
}
