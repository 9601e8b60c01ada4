import type { SkillScope } from '@knowhow/shared/access/admin-rights';
import {
  type adminSkillListSchema,
  type ListedSkill,
  maxFacets,
  type SkillFacet,
  type SkillStatus,
  type SkillUsage,
  skillSourceKinds,
  skillStatuses,
} from '@knowhow/shared/skills/admin-skill';
import type { adminSkillsApi } from '@knowhow/shared/skills/admin-skills';
import { createScorer, searchable } from '@knowhow/shared/skills/scorer-for';
import type { SkillsConfig } from '@knowhow/shared/skills/skills-config';
import type { z } from 'zod';
import type { Contents } from '../../content/index.ts';
import {
  getSkillSettings,
  offerTest,
  rankedAbove,
  type Skill,
  type SkillRanking,
  type SkillSnapshot,
  shownTexts,
} from '../../skills/index.ts';
import { skillDescriber } from './describe-skill.ts';
import type { Surroundings } from './diagnose-needs.ts';
import { getSkillStatus, type SkillEntry, skillEntries } from './skill-entries.ts';
import { getSkillProblems } from './skill-problems.ts';
import { coveredEntries } from './skill-scope.ts';

/** Maximum number of results without a literal match. */
const maxRanked = 100;

/** Ranking of entries for a search. */
interface EntryRanking {
  /** Whether an entry matches by its full text. */
  has(entry: SkillEntry): boolean;
  /** Best first: name matches, then full-text matches. */
  sort(entries: readonly SkillEntry[]): SkillEntry[];
}

/** Undefined without a query, or with too few skills for ranking. */
function rankEntries(
  entries: readonly SkillEntry[],
  typed: string,
  ranking: SkillRanking,
): EntryRanking | undefined {
  if (entries.length <= rankedAbove || typed.trim() === '') {
    return undefined;
  }
  const skills = entries.flatMap(({ stored, state }) =>
    stored && state === 'offered' ? [stored] : [],
  );
  const ranked = ranking.rank(typed, skills, maxRanked);
  const best = ranked[0]?.score ?? 1;
  const fits = new Map(ranked.map(({ skill, score }) => [skill, score / best]));
  const fitOf = ({ stored }: SkillEntry) => (stored && fits.get(stored)) ?? 0;
  const nameScore = createScorer(typed);
  const scoreOf = (entry: SkillEntry) => {
    const { name, skill } = entry;
    return (
      2 * nameScore(searchable({ name, otherNames: [skill.displayName], description: '' })) +
      fitOf(entry)
    );
  };
  return {
    has: (entry) => fitOf(entry) > 0,
    sort: (found) =>
      found
        .map((entry) => ({ entry, score: scoreOf(entry) }))
        .sort((one, other) => other.score - one.score)
        .map(({ entry }) => entry),
  };
}

export type SkillListQuery = z.output<typeof adminSkillsApi.list.query>;
type Facets = z.output<typeof adminSkillListSchema>['facets'];
type FacetQuery = z.output<typeof adminSkillsApi.facets.query>;

/** An entry with its filter and sort values. */
interface Candidate {
  entry: SkillEntry;
  status: SkillStatus;
  /** Searchable text, in lower case. */
  text: string;
}

/** Usage by skill name; undefined without analytics. */
type Usages = ReadonlyMap<string, SkillUsage> | undefined;

interface Listing {
  admin: Surroundings;
  ranking: SkillRanking;
  usages: Usages;
  /** The skills that the administrator sees. */
  scope: SkillScope;
}

/**
 * Filters and sorts the skills for an admin; descriptions follow page by page. The query matches
 * literally. With many skills it also matches by full text, and then the best come first, unless
 * another order is requested.
 */
export function selectSkills(
  query: SkillListQuery,
  { admin, ranking, usages, scope }: Listing,
): { entries: SkillEntry[]; facets: Facets } {
  const { snapshot } = admin.skills;
  const contents = admin.contents();
  const { entries: all, candidates, facets } = candidatesOf(snapshot, contents.skills, scope);
  const problems = getSkillProblems(all, admin);
  const app = contents.apps.get(query.app ?? '');
  const offers = offerTest(app?.enabled ? [app] : []);
  const words = (query.query ?? '')
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const ranked = rankEntries(all, query.query ?? '', ranking);
  const found = candidates.filter(
    ({ entry, status, text }) =>
      (query.status === undefined || status === query.status) &&
      (query.problems === undefined || problems.of(entry).includes(query.problems)) &&
      (query.source === undefined || entry.source.kind === query.source) &&
      (query.category === undefined || entry.skill.category === query.category) &&
      (query.tag === undefined || entry.skill.tags.includes(query.tag)) &&
      (query.tool === undefined || entry.skill.requiresTools.includes(query.tool)) &&
      (words.every((word) => text.includes(word)) || ranked?.has(entry)) &&
      (query.app === undefined ||
        offers({
          name: entry.name,
          global: getSkillSettings(entry.name, contents.skills)?.global === true,
        })),
  );
  const entries = sorted(found, query, usages).map(({ entry }) => entry);
  return {
    entries: ranked && !query.sort ? ranked.sort(entries) : entries,
    facets: { ...facets, problems: problems.counts },
  };
}

/** Categories, tags or required tools of all skills that contain the query, most frequent first. */
export function findFacets(
  { field, query = '' }: FacetQuery,
  snapshot: SkillSnapshot,
  contents: Contents,
  scope: SkillScope,
): SkillFacet[] {
  const wanted = query.trim().toLowerCase();
  const all = candidatesOf(snapshot, contents.skills, scope).counted[field];
  return all.filter(({ value }) => value.toLowerCase().includes(wanted));
}

/** Describes one page of entries. */
export async function describePage(
  entries: readonly SkillEntry[],
  admin: Surroundings,
  usages: Usages,
): Promise<ListedSkill[]> {
  const describe = skillDescriber(admin);
  const described = await Promise.all(
    entries.map((entry) =>
      describe(entry)
        .then((skill) => (usages ? { ...skill, usage: usageOf(entry, usages) } : skill))
        // A folder that has just been deleted must not fail the whole page.
        .catch(() => undefined),
    ),
  );
  return described.filter((skill) => skill !== undefined);
}

interface Candidates {
  config: SkillsConfig;
  entries: readonly SkillEntry[];
  candidates: readonly Candidate[];
  facets: Omit<Facets, 'problems'>;
  /** All values, most frequent first. */
  counted: Record<FacetQuery['field'], readonly SkillFacet[]>;
}

const cache = new WeakMap<SkillSnapshot, Map<string, Candidates>>();

/** Cached per snapshot, configuration and scope. */
function candidatesOf(
  snapshot: SkillSnapshot,
  config: SkillsConfig,
  scope: SkillScope,
): Candidates {
  const key = scope === 'all' ? scope : JSON.stringify([...scope].sort());
  const byScope = cache.get(snapshot) ?? new Map<string, Candidates>();
  const last = byScope.get(key);
  if (last?.config === config) {
    return last;
  }
  const entries = coveredEntries(skillEntries(snapshot), scope, snapshot);
  const candidates = entries.map((entry) => ({
    entry,
    status: getSkillStatus(entry, config),
    text: searchedText(entry, config),
  }));
  const counted = {
    category: countValues(candidates, ({ category }) => (category === undefined ? [] : [category])),
    tag: countValues(candidates, ({ tags }) => tags),
    tool: countValues(candidates, ({ requiresTools }) => requiresTools),
  };
  const sources = new Set(candidates.map(({ entry }) => entry.source.kind));
  const facets = {
    statuses: countStatuses(candidates),
    sources: skillSourceKinds.filter((kind) => sources.has(kind)),
    categories: counted.category.slice(0, maxFacets),
    tags: counted.tag.slice(0, maxFacets),
    tools: counted.tool.slice(0, maxFacets),
  };
  const result = { config, entries, candidates, facets, counted };
  cache.set(snapshot, byScope.set(key, result));
  return result;
}

/** Its own texts and the admin's overrides. */
function searchedText({ name, skill }: SkillEntry, config: SkillsConfig): string {
  const { displayName, description, category, tags, version, requiresTools, metadata } = skill;
  const shown = shownTexts(skill, getSkillSettings(name, config));
  const texts = new Set([name, displayName, description, ...Object.values(shown)]);
  const labels = [category, version, ...tags, ...requiresTools];
  return [...texts, ...labels, ...Object.values(metadata)].join('\n').toLowerCase();
}

function countStatuses(candidates: readonly Candidate[]): Facets['statuses'] {
  const statuses = { on: 0, off: 0, blocked: 0, broken: 0, shadowed: 0 };
  for (const { status } of candidates) {
    statuses[status] += 1;
  }
  return statuses;
}

/** Only the effective one of several skills with the same name was used. */
function usageOf({ name, state }: SkillEntry, usages: Usages): SkillUsage {
  return (state === 'offered' && usages?.get(name)) || { uses: 0 };
}

/** Most frequent first, then by value. */
function countValues(
  candidates: readonly Candidate[],
  valuesOf: (skill: Skill) => readonly string[],
): SkillFacet[] {
  const counts = new Map<string, number>();
  for (const { entry } of candidates) {
    for (const value of new Set(valuesOf(entry.skill))) {
      counts.set(value, (counts.get(value) ?? 0) + 1);
    }
  }
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((one, other) => other.count - one.count || (one.value < other.value ? -1 : 1));
}

const keys: Record<
  NonNullable<SkillListQuery['sort']>,
  (candidate: Candidate, usages: Usages) => string | number
> = {
  name: ({ entry }) => entry.name,
  status: ({ status }) => skillStatuses.indexOf(status),
  source: ({ entry }) => skillSourceKinds.indexOf(entry.source.kind),
  updated: ({ entry }) => entry.updatedAt,
  uses: ({ entry }, usages) => usageOf(entry, usages).uses,
  used: ({ entry }, usages) => usageOf(entry, usages).lastUsedAt ?? '',
};

/** Ties remain in the order of names. */
function sorted(
  found: readonly Candidate[],
  { sort = 'name', order }: SkillListQuery,
  usages: Usages,
): Candidate[] {
  const key = keys[sort];
  const sign = order === 'desc' ? -1 : 1;
  return found.toSorted((one, other) => {
    const [first, second] = [key(one, usages), key(other, usages)];
    return first === second ? 0 : first < second ? -sign : sign;
  });
}
