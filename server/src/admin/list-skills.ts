import {
  type AdminSkill,
  type adminSkillListSchema,
  type SkillStatus,
  skillSourceKinds,
  skillStatuses,
} from '@knowhow/shared/admin-skill';
import type { adminSkillsApi } from '@knowhow/shared/admin-skills';
import type { SkillsConfig } from '@knowhow/shared/skills-config';
import type { z } from 'zod';
import type { Contents } from '../content/contents.ts';
import type { SkillSnapshot } from '../skills/skill-snapshot.ts';
import { skillDescriber } from './describe-skill.ts';
import { type SkillEntry, skillEntries, statusOf } from './skill-entries.ts';
import { skillReach } from './skill-reach.ts';

export type SkillListQuery = z.output<typeof adminSkillsApi.list.query>;
type Facets = z.output<typeof adminSkillListSchema>['facets'];

/** An entry with what it is filtered and sorted by. */
interface Candidate {
  entry: SkillEntry;
  status: SkillStatus;
  /** Where words are looked for, in lower case. */
  text: string;
}

/** The skills an admin asks for, in the order asked for: to be described a page at a time. */
export function selectSkills(
  query: SkillListQuery,
  snapshot: SkillSnapshot,
  contents: Contents,
): { entries: SkillEntry[]; facets: Facets } {
  const { candidates, facets } = candidatesOf(snapshot, contents.skills);
  const reachOf = skillReach(contents);
  const words = (query.query ?? '')
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const found = candidates.filter(
    ({ entry, status, text }) =>
      (query.status === undefined || status === query.status) &&
      (query.source === undefined || entry.source.kind === query.source) &&
      (query.category === undefined || entry.skill.category === query.category) &&
      (query.tag === undefined || entry.skill.tags.includes(query.tag)) &&
      words.every((word) => text.includes(word)) &&
      (query.app === undefined || reachOf(entry.name).apps.includes(query.app)),
  );
  return { entries: sorted(found, query).map(({ entry }) => entry), facets };
}

/** Describes one page of them, a few at a time. */
export async function describePage(
  entries: readonly SkillEntry[],
  contents: Contents,
): Promise<AdminSkill[]> {
  const describe = skillDescriber(contents);
  // A folder that has just gone is not worth an error for the whole page.
  const described = await Promise.all(
    entries.map((entry) => describe(entry).catch(() => undefined)),
  );
  return described.filter((skill) => skill !== undefined);
}

interface Candidates {
  config: SkillsConfig;
  candidates: readonly Candidate[];
  facets: Facets;
}

const known = new WeakMap<SkillSnapshot, Candidates>();

/** Worked out once for a snapshot and a configuration. */
function candidatesOf(snapshot: SkillSnapshot, config: SkillsConfig): Candidates {
  const last = known.get(snapshot);
  if (last?.config === config) {
    return last;
  }
  const candidates = skillEntries(snapshot).map((entry) => {
    const { name, skill } = entry;
    const { displayName, description, category, tags, metadata } = skill;
    const words = [name, displayName, description, category, ...tags, ...Object.values(metadata)];
    return { entry, status: statusOf(entry, config), text: words.join('\n').toLowerCase() };
  });
  const made = { config, candidates, facets: facetsOf(candidates) };
  known.set(snapshot, made);
  return made;
}

function facetsOf(candidates: readonly Candidate[]): Facets {
  const statuses = { on: 0, off: 0, broken: 0, shadowed: 0 };
  for (const { status } of candidates) {
    statuses[status] += 1;
  }
  const sources = new Set(candidates.map(({ entry }) => entry.source.kind));
  return {
    statuses,
    sources: skillSourceKinds.filter((kind) => sources.has(kind)),
    categories: distinct(candidates.flatMap(({ entry }) => entry.skill.category ?? [])),
    tags: distinct(candidates.flatMap(({ entry }) => entry.skill.tags)),
  };
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)].sort((one, other) => one.localeCompare(other));
}

const keys: Record<
  NonNullable<SkillListQuery['sort']>,
  (candidate: Candidate) => string | number
> = {
  name: ({ entry }) => entry.name,
  status: ({ status }) => skillStatuses.indexOf(status),
  source: ({ entry }) => skillSourceKinds.indexOf(entry.source.kind),
  updated: ({ entry }) => entry.updatedAt,
};

/** Those that are equal stay in the order of their names. */
function sorted(
  found: readonly Candidate[],
  { sort = 'name', order }: SkillListQuery,
): Candidate[] {
  const key = keys[sort];
  const sign = order === 'desc' ? -1 : 1;
  return found.toSorted((one, other) => {
    const [first, second] = [key(one), key(other)];
    return first === second ? 0 : first < second ? -sign : sign;
  });
}
