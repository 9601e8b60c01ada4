import { groupsBySkill } from '../access/permissions.ts';
import type { Contents } from '../content/contents.ts';
import { offerTest } from '../skills/offer-in-app.ts';
import { settingsOf } from '../skills/skill-settings.ts';

/** Whom a skill reaches as the configuration has it, whether it is on or off. Ids. */
export interface SkillReach {
  /** Apps that offer it: they list it, or all skills, or it is global; and do not exclude it. */
  apps: string[];
  /** Groups that may use it, of their own or by inheritance. */
  groups: string[];
}

type ReachOf = (name: string) => SkillReach;

const known = new WeakMap<Contents, ReachOf>();

/** Works out what holds for every skill once for a state of the configuration. */
export function skillReach(contents: Contents): ReachOf {
  const made = known.get(contents) ?? reachIn(contents);
  known.set(contents, made);
  return made;
}

function reachIn(contents: Contents): ReachOf {
  const apps = [...contents.apps.values()]
    .filter(({ enabled }) => enabled !== false)
    .map((app) => ({ id: app.id, offers: offerTest([app]) }));
  const groupsOf = groupsBySkill(contents.groups);
  return (name) => {
    const global = settingsOf(name, contents.skills)?.global === true;
    return {
      apps: apps.filter(({ offers }) => offers({ name, global })).map(({ id }) => id),
      groups: groupsOf(name),
    };
  };
}
