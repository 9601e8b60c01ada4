import type { AppConfig } from '@knowhow/shared/config/app-config';
import { localize } from '@knowhow/shared/config/localized';
import type { SkillAccess } from '@knowhow/shared/skills/admin-skill';
import type { Contents } from '../../content/index.ts';
import {
  computePermissions,
  type GrantedSkill,
  grants,
  grantsSkill,
  withMemberGroups,
} from '../../identity/index.ts';
import { getSkillSettings, isOffered, offerInApp, toGrantedSkill } from '../../skills/index.ts';
import { getSkillStatus, type SkillEntry } from './skill-entries.ts';

type Cell = SkillAccess['cells'][number];

/** For each group in each app: whether members see the skill, and the deciding rule. */
export function skillAccess(entry: SkillEntry, contents: Contents, language: string): SkillAccess {
  const groups = [...contents.groups.values()];
  const apps = [...contents.apps.values()];
  return {
    groups: groups.map(({ id, name }) => ({ id, name })),
    apps: apps.map(({ id, name }) => ({ id, name: localize(name, language) })),
    cells: groups.flatMap(({ id }) =>
      apps.map((app) => cellOf({ entry, contents, group: id, app })),
    ),
  };
}

interface Question {
  entry: SkillEntry;
  contents: Contents;
  group: string;
  app: AppConfig;
}

function cellOf({ entry, contents, group, app }: Question): Cell {
  const groups = withMemberGroups([group], contents);
  const { sees, rule } = visibilityRule({ entry, contents, groups, app });
  const via = sees ? grantingGroup(groups, grantedOf(entry), contents) : undefined;
  const cell = { group, app: app.id, sees, rule };
  return via === undefined || via === group ? cell : { ...cell, via };
}

/**
 * Whether members of these groups see a skill in an app. The same conditions as in
 * `createSkillView`, ordered so that the most basic reason comes first.
 */
export function visibilityRule({
  entry,
  contents,
  groups,
  app,
}: Omit<Question, 'group'> & { groups: readonly string[] }): Pick<Cell, 'sees' | 'rule'> {
  const { name } = entry;
  const no = (rule: Cell['rule']) => ({ sees: false, rule });
  const status = getSkillStatus(entry, contents.skills);
  if (status !== 'on') {
    return no(status);
  }
  const permissions = computePermissions([...groups], contents.groups);
  if (!app.enabled) {
    return no('app-off');
  }
  if (!grants(permissions.apps, app.id)) {
    return no('app-not-granted');
  }
  if (!grantsSkill(permissions.skills, grantedOf(entry))) {
    return no('skill-not-granted');
  }
  const global = getSkillSettings(name, contents.skills)?.global === true;
  const rule = offerInApp(app, { name, global });
  return { sees: isOffered(rule), rule };
}

function grantedOf({ name, stored }: SkillEntry): GrantedSkill {
  return stored ? toGrantedSkill(stored) : { id: name, category: undefined };
}

/** The first group that grants the skill, or the nearest one from which a group inherits it. */
function grantingGroup(
  ofMember: readonly string[],
  skill: GrantedSkill,
  { groups }: Contents,
): string | undefined {
  const asked = [...ofMember];
  const seen = new Set<string>();
  for (const id of asked) {
    const group = groups.get(id);
    const alone = group && new Map([[id, group]]);
    if (alone && grantsSkill(computePermissions([id], alone).skills, skill)) {
      return id;
    }
    seen.add(id);
    asked.push(...(group?.inherits ?? []).filter((other) => !seen.has(other)));
  }
  return undefined;
}
