import { useQueryClient } from '@tanstack/react-query';
import { skillNamed, skillsLike, skillsOf } from './skills-of.ts';
import { type TakenSkills, takeSkills } from './slash.ts';

/** Returns a function that extracts the skills at the beginning of a text (`/name text`). */
export function useTakeSkills(appId: string): (text: string) => Promise<TakenSkills> {
  const queryClient = useQueryClient();

  async function find(typed: string): Promise<string | undefined> {
    const { items, isAll } = await queryClient.fetchQuery(skillsOf(appId));
    const known = skillNamed(items, typed);
    if (known || isAll) {
      return known?.name;
    }
    const found = await queryClient.fetchQuery(skillsLike(appId, typed));
    return skillNamed(found.items, typed)?.name;
  }

  return (text) => takeSkills(text, find);
}
