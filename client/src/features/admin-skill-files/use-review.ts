import type { AdminSkillDetail } from '@knowhow/shared/skills/admin-skill';
import { skillArchivesApi } from '@knowhow/shared/skills/skill-archives';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { upload } from '../../api/upload.ts';

/** Debounce delay in ms. */
const pause = 400;

/** Debounced diagnostics of a `SKILL.md` in a folder. */
export function useReview(folder: string, text: string | undefined) {
  const [typed] = useDebouncedValue(text, pause);
  const [settled] = useDebouncedValue(folder, pause);
  const { data, error } = useQuery({
    queryKey: ['skill-review', settled, typed],
    queryFn: ({ signal }) => {
      const file = new File([typed ?? ''], 'SKILL.md', { type: 'text/markdown' });
      const input = { query: { folder: settled }, file };
      return upload(skillArchivesApi.validate, input, { signal });
    },
    enabled: typed !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    placeholderData: keepPreviousData,
  });
  return { report: data?.skills[0], error };
}

/** The folder of a skill, which must match its name. */
export function folderOfSkill({
  location,
  name,
}: Pick<AdminSkillDetail, 'location' | 'name'>): string {
  const folder = location.split(/[:/]/).at(-1);
  return folder === undefined || folder === '.' ? name : folder;
}
