import { type Group, groupSchema } from '@knowhow/shared/access/groups';
import type { ConfigChoice } from '@knowhow/shared/config/admin';
import { type AppConfig, appConfigSchema } from '@knowhow/shared/config/app-config';
import { localize } from '@knowhow/shared/config/localized';
import type { AdminSkillDetail } from '@knowhow/shared/skills/admin-skill';

/** Whether an app offers a skill, or a group may use it, and why. */
export interface Assignment {
  id: string;
  name: string;
  /** Whether it lists this skill directly: the switch on the skill's page. */
  isDirect: boolean;
  /** Another source of the skill; `inheritedFrom` is the name of a group, `group` its ID. */
  otherwise?: 'all' | 'global' | 'excluded' | { inheritedFrom: string; group: string };
  /** Whether its file is unreadable, so that nothing can be written. */
  isBroken: boolean;
}

type Assigned = Pick<AdminSkillDetail, 'listedInApps' | 'grantedByGroups' | 'global' | 'name'>;

export function appAssignments(
  { listedInApps, global, name: skill }: Assigned,
  items: readonly ConfigChoice[],
  language: string,
): Assignment[] {
  return items.map(({ id, config }) => {
    const app = appConfigSchema.safeParse(config).data;
    return {
      id,
      name: localize(app?.name, language) || id,
      isDirect: listedInApps.includes(id),
      otherwise: app && getInheritance(app, { skill, global }),
      isBroken: app === undefined,
    };
  });
}

function getInheritance(
  { skills, skillSettings }: AppConfig,
  { skill, global }: { skill: string; global: boolean },
): Assignment['otherwise'] {
  const inherited = skills?.includes('*') ? 'all' : global ? 'global' : undefined;
  return inherited && skillSettings?.exclude?.includes(skill) ? 'excluded' : inherited;
}

export function groupAssignments(
  { name, grantedByGroups }: Assigned,
  items: readonly ConfigChoice[],
): Assignment[] {
  const groups = new Map(
    items.map(({ id, config }) => [id, groupSchema.safeParse(config).data] as const),
  );
  return items.map(({ id }) => {
    const group = groups.get(id);
    const from = findGrantingParent(id, groups, name);
    return {
      id,
      name: group?.name ?? id,
      isDirect: grantedByGroups.includes(id),
      otherwise: getGrantedSkills(group).includes('*')
        ? 'all'
        : from
          ? { inheritedFrom: groups.get(from)?.name ?? from, group: from }
          : undefined,
      isBroken: group === undefined,
    };
  });
}

type Groups = ReadonlyMap<string, Group | undefined>;

/** The nearest group from which another inherits a skill. */
function findGrantingParent(id: string, groups: Groups, skill: string): string | undefined {
  const asked = [...(groups.get(id)?.inherits ?? [])];
  const seen = new Set([id]);
  for (const parent of asked) {
    const grant = getGrantedSkills(groups.get(parent));
    if (grant.includes('*') || grant.includes(skill)) {
      return parent;
    }
    if (!seen.has(parent)) {
      seen.add(parent);
      asked.push(...(groups.get(parent)?.inherits ?? []));
    }
  }
  return undefined;
}

function getGrantedSkills(group: Group | undefined): readonly string[] {
  return group?.permissions?.skills ?? [];
}
