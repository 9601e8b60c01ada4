import type { Contents } from '../../content/index.ts';
import { type GrantedSkill, groupsBySkill } from '../../identity/index.ts';
import {
  findGrantedSkill,
  getSkillSettings,
  offerTest,
  type SkillSnapshot,
} from '../../skills/index.ts';

/** Ids of the apps and groups with access to a skill, whether it is enabled or not. */
export interface SkillReach {
  /** Apps that offer it. */
  apps: string[];
  /** Groups that may use it, directly or by inheritance. */
  groups: string[];
}

type ReachOf = (skill: GrantedSkill) => SkillReach;

const cache = new WeakMap<Contents, ReachOf>();

/** Prepares what is the same for every skill; cached per configuration. */
export function skillReach(
  contents: Contents,
  snapshot: SkillSnapshot,
): (name: string) => SkillReach {
  const computed = cache.get(contents) ?? reachIn(contents);
  cache.set(contents, computed);
  return (name) => computed(findGrantedSkill(snapshot, name));
}

function reachIn(contents: Contents): ReachOf {
  const apps = [...contents.apps.values()]
    .filter(({ enabled }) => enabled)
    .map((app) => ({ id: app.id, offers: offerTest([app]) }));
  const groupsOf = groupsBySkill(contents.groups);
  return (skill) => {
    const { id: name } = skill;
    const global = getSkillSettings(name, contents.skills)?.global === true;
    return {
      apps: apps.filter(({ offers }) => offers({ name, global })).map(({ id }) => id),
      groups: groupsOf(skill),
    };
  };
}
