import { sha256 } from '../../../platform/lib/sha256.ts';
import type { Contents } from '../../content/index.ts';
import { getSkillSettings } from '../../skills/index.ts';

/** Admin settings of a skill: its entry in `skills.json`, and where it is listed. */
export function getSkillDecisions(name: string, { skills, apps, groups }: Contents) {
  return {
    ...getSkillSettings(name, skills),
    apps: [...apps].filter(([, app]) => isListed(app.skills, name)).map(([id]) => id),
    groups: [...groups]
      .filter(([, { permissions }]) => isListed(permissions?.skills, name))
      .map(([id]) => id),
  };
}

/** SHA-256 in hex, for detecting concurrent changes. */
export function settingsChecksum(name: string, contents: Contents): string {
  return sha256(JSON.stringify(getSkillDecisions(name, contents)));
}

export function isListed(skills: readonly string[] = [], name: string): boolean {
  return skills.includes(name);
}
