import type { SkillsConfig } from '@knowhow/shared/skills-config';
import { grants, permissionsOf } from '../access/permissions.ts';
import type { Contents } from '../content/contents.ts';
import { isOffered, offerInApp } from '../skills/offer-in-app.ts';

/** Whom a skill reaches as the configuration has it, whether it is on or off. Ids. */
export interface SkillReach {
  /** Apps that offer it: they list it, or all skills, or it is global; and do not exclude it. */
  apps: string[];
  /** Groups that may use it, of their own or by inheritance. */
  groups: string[];
}

/** Works out what holds for every skill once, for many of them. */
export function skillReach(contents: Contents): (name: string) => SkillReach {
  const apps = [...contents.apps.values()].filter(({ enabled }) => enabled !== false);
  const groups = [...contents.groups.keys()].map((id) => ({
    id,
    grant: permissionsOf([id], contents.groups).skills,
  }));
  return (name) => {
    const global = settingsOf(name, contents.skills)?.global === true;
    return {
      apps: apps.filter((app) => isOffered(offerInApp(app, { name, global }))).map(({ id }) => id),
      groups: groups.filter(({ grant }) => grants(grant, name)).map(({ id }) => id),
    };
  };
}

/** What an admin decided on a skill. */
export function settingsOf(name: string, { skills = {} }: SkillsConfig) {
  return Object.hasOwn(skills, name) ? skills[name] : undefined;
}
