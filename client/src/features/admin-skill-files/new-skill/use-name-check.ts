import { adminSkillsApi } from '@knowhow/shared/skills/admin-skills';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { query } from '../../../api/query.ts';
import { useSkillTexts } from '../../../ui/text/use-skill-texts.ts';
import type { NewSkill } from './new-skill.ts';

/** Debounce delay in ms. */
const pause = 250;

export type NameCheck = ReturnType<typeof useNameCheck>;

/** The name of a new skill, derived or typed, and whether it is available. */
export function useNameCheck({ title, name: typed }: Pick<NewSkill, 'title' | 'name'>) {
  const { say } = useSkillTexts();
  const asked = (typed ?? title).trim();
  const [settled] = useDebouncedValue(asked, pause);
  const check = useQuery({
    ...nameQuery(settled),
    enabled: settled !== '',
    placeholderData: keepPreviousData,
  });
  const answer = settled === '' || asked === '' ? undefined : check.data;
  return {
    /** The normalised name. */
    name: typed ?? answer?.name ?? '',
    /** The nearest valid name. */
    proposed: answer?.name,
    isFree: answer?.free,
    isValid: typed === undefined || answer?.valid,
    message: answer?.message && say({ ...answer, message: answer.message }),
    /** Pending: the result is not known yet. */
    isOpen: asked !== settled || check.isPlaceholderData || (settled !== '' && check.isFetching),
  };
}

export function nameQuery(name: string) {
  return query(adminSkillsApi.checkName, { query: { name } });
}
