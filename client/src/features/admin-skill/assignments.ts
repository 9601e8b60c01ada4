import { type Group, groupSchema } from '@knowhow/shared/access/groups';
import type { ConfigChoice } from '@knowhow/shared/config/admin';
import { type AppConfig, appConfigSchema } from '@knowhow/shared/config/app-config';
import { localize } from '@knowhow/shared/config/localized';
import type { AdminSkillDetail } from '@knowhow/shared/skills/admin-skill';
import { categoryKey } from '@knowhow/shared/skills/skill-category';

/** Whether an app offers a skill, or a group may use it, and why. */
export interface Assignment {
  id: string;
  name: string;
  /** Whether it lists this skill directly: the switch on the skill's page. */
  isDirect: boolean;
  /** Another source of the skill; `inheritedFrom` is the name of a group, `group` its ID. */
  otherwise?: 'all' | 'category' | 'global' | 'excluded' | { inheritedFrom: string; group: string };
  /** Whether its file is unreadable, so that nothing can be written. */
  isBroken: boolean;
}

type Assigned = Pick<
  AdminSkillDetail,
  'listedInApps' | 'grantedByGroups' | 'global' | 'name' | 'category' | 'source'
>;

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
  skill: Pick<Assigned, 'name' | 'grantedByGroups' | 'category' | 'source'>,
  items: readonly ConfigChoice[],
): Assignment[] {
  const groups = new Map(
    items.map(({ id, config }) => [id, groupSchema.safeParse(config).data] as const),
  );
  return items.map(({ id }) => {
    const group = groups.get(id);
    const from = findGrantingParent(id, groups, skill);
    return {
      id,
      name: group?.name ?? id,
      isDirect: skill.grantedByGroups.includes(id),
      otherwise: getGrantedSkills(group).includes('*')
        ? 'all'
        : grantsCategory(group, skill)
          ? 'category'
          : from
            ? { inheritedFrom: groups.get(from)?.name ?? from, group: from }
            : undefined,
      isBroken: group === undefined,
    };
  });
}

type Granted = Pick<Assigned, 'name' | 'category' | 'source'>;
type Groups = ReadonlyMap<string, Group | undefined>;

/** The nearest group from which another inherits a skill. */
function findGrantingParent(id: string, groups: Groups, skill: Granted): string | undefined {
  const asked = [...(groups.get(id)?.inherits ?? [])];
  const seen = new Set([id]);
  for (const parent of asked) {
    const group = groups.get(parent);
    const grant = getGrantedSkills(group);
    if (grant.includes('*') || grant.includes(skill.name) || grantsCategory(group, skill)) {
      return parent;
    }
    if (!seen.has(parent)) {
      seen.add(parent);
      asked.push(...(groups.get(parent)?.inherits ?? []));
    }
  }
  return undefined;
}

/** Whether a group grants the category of a skill. For skills of other servers, categories do not count. */
function grantsCategory(group: Group | undefined, { category, source }: Granted): boolean {
  const key = source === 'mcp' ? undefined : categoryKey(category);
  const granted = group?.permissions?.skillCategories ?? [];
  return key !== undefined && granted.some((each) => categoryKey(each) === key);
}

function getGrantedSkills(group: Group | undefined): readonly string[] {
  return group?.permissions?.skills ?? [];
}
