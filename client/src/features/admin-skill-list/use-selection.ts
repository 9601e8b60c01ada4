import type { AdminSkill } from '@knowhow/shared/skills/admin-skill';
import { useState } from 'react';

/** The skills that are chosen to do something with, on whatever page they stand. */
export interface Selection {
  skills: AdminSkill[];
  has: (skill: AdminSkill) => boolean;
  /** Adds all of these, or takes them out. */
  set: (skills: AdminSkill[], isChosen: boolean) => void;
  replace: (skills: AdminSkill[]) => void;
}

/** `shown` are the skills as they are now, as far as they are on the page. */
export function useSelection(shown: AdminSkill[]): Selection {
  const [chosen, setChosen] = useState<AdminSkill[]>([]);
  const locationsOf = (skills: AdminSkill[]) => new Set(skills.map(({ location }) => location));
  const locations = locationsOf(chosen);
  return {
    skills: chosen.map(
      (skill) => shown.find(({ location }) => location === skill.location) ?? skill,
    ),
    has: (skill) => isSelectable(skill) && locations.has(skill.location),
    set(skills, isChosen) {
      const named = locationsOf(skills);
      const others = chosen.filter(({ location }) => !named.has(location));
      setChosen(isChosen ? [...others, ...skills.filter(isSelectable)] : others);
    },
    replace: setChosen,
  };
}

/** A shadowed skill cannot be named: its name means the one that hides it. */
export function isSelectable({ status }: AdminSkill): boolean {
  return status !== 'shadowed';
}
