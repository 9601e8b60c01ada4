import { useQueryClient } from '@tanstack/react-query';
import { isPickable } from './palette-entry.ts';
import { takeSkills } from './slash.ts';
import type { Draft } from './use-draft.ts';
import { skillsOf } from './use-palette-entries.ts';

/** Gives a draft with the skills that are typed out at its beginning (`/name text`) among its own. */
export function useTakeSkills(appId: string): (draft: Draft) => Promise<Draft> {
  const queryClient = useQueryClient();

  return async ({ text, skills }) => {
    if (!text.trimStart().startsWith('/')) {
      return { text, skills };
    }
    const options = { ...skillsOf(appId), staleTime: 30_000 };
    const visible = await queryClient.fetchQuery(options).catch(() => []);
    const pickable = visible.filter(isPickable);
    const taken = takeSkills(
      text,
      (typed) => pickable.find(({ name }) => name.toLowerCase() === typed.toLowerCase())?.name,
    );
    return { text: taken.message, skills: [...new Set([...skills, ...taken.skills])] };
  };
}
