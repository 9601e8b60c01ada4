import { Problem } from '@knowhow/shared/problem';
import type { AdminSkillDetail } from '@knowhow/shared/skills/admin-skill';
import { type SkillDraft, skillDraftsApi } from '@knowhow/shared/skills/skill-drafts';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../../../api/call.ts';
import { usePublishing } from '../../../ui/use-publishing.ts';

/** Query options for the draft of a skill; null if it has none. */
export function draftQuery(skill: string) {
  return queryOptions({
    queryKey: [skillDraftsApi.get.path, skill],
    queryFn: ({ signal }) => readDraft(skill, signal),
  });
}

/** The draft of a skill without the contents of its files; null if it has none. */
export async function readDraft(skill: string, signal?: AbortSignal): Promise<SkillDraft | null> {
  try {
    const input = { params: { skill }, query: { contents: 'false' } };
    return await call(skillDraftsApi.get, input, { signal });
  } catch (error) {
    if (error instanceof Problem && error.code === 'not-found') {
      return null;
    }
    throw error;
  }
}

/** The draft of a skill, and whether the user may change the published files without a review. */
export function useSkillDraft({
  name,
  writable,
  category,
}: Pick<AdminSkillDetail, 'name' | 'writable' | 'category'>) {
  const draft = useQuery({ ...draftQuery(name), enabled: writable });
  const { mayPublish, isPending } = usePublishing(category);
  return {
    draft: writable ? draft.data : null,
    error: draft.error,
    isPending: (writable && draft.isPending) || isPending,
    mayPublish,
    retry: draft.refetch,
  };
}
