import { useQueryClient } from '@tanstack/react-query';
import { appSkillsQuery, findSkillByName, matchingSkillsQuery } from './skills-of.ts';
import { type ExtractedSkills, extractSkills } from './slash.ts';

/** Returns a function that extracts the skills at the beginning of a text (`/name text`). */
export function useExtractSkills(appId: string): (text: string) => Promise<ExtractedSkills> {
  const queryClient = useQueryClient();

  async function find(typed: string): Promise<string | undefined> {
    const { items, isAll } = await queryClient.fetchQuery(appSkillsQuery(appId));
    const known = findSkillByName(items, typed);
    if (known || isAll) {
      return known?.name;
    }
    const found = await queryClient.fetchQuery(matchingSkillsQuery(appId, typed));
    return findSkillByName(found.items, typed)?.name;
  }

  return (text) => extractSkills(text, find);
}
