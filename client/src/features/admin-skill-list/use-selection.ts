import type { AdminSkill } from '@knowhow/shared/skills/admin-skill';
import { useState } from 'react';

/** The selected skills, on any page. */
export interface Selection {
  skills: AdminSkill[];
  has: (skill: AdminSkill) => boolean;
  /** Adds or removes all of these. */
  set: (skills: AdminSkill[], isChosen: boolean) => void;
  replace: (skills: AdminSkill[]) => void;
}

/** `shown` are the current skills of the page. */
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

/** A shadowed skill cannot be addressed: its name refers to the one that shadows it. */
export function isSelectable({ status }: AdminSkill): boolean {
  return status !== 'shadowed';
}
