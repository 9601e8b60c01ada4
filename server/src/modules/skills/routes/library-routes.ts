import { withoutHiddenCharacters } from '@knowhow/shared/names';
import {
  type LibraryOrder,
  type LibrarySkill,
  libraryApi,
  maxExampleLength,
  maxExamples,
} from '@knowhow/shared/skills/library';
import type { SkillOwner } from '@knowhow/shared/skills/skill-owners';
import { localizeSkill } from '@knowhow/shared/skills/skill-translations';
import type { Router } from 'express';
import { paginate } from '../../../platform/http/paginate.ts';
import { route } from '../../../platform/http/route.ts';
import { findLanguage } from '../../../platform/lib/locales.ts';
import type { Caller } from '../../identity/index.ts';
import { isEvalsFile, parsePrompts, promptsIn } from '../author-prompts.ts';
import { withDeprecatedLast } from '../deprecated-skills.ts';
import { ownerTest } from '../inbox/to-reader.ts';
import type { SkillOwners } from '../owners/skill-owners.ts';
import { searchSkills } from '../search-skills.ts';
import { getSkillSettings } from '../skill-settings.ts';
import type { SkillView } from '../skill-view.ts';
import type { VisibleSkill } from '../visible-skill.ts';
import {
  describeVisibleSkill,
  findSkill,
  getSkillView,
  type SkillDependencies,
  toSkillSummary,
} from './skill-routes.ts';

interface Dependencies extends SkillDependencies {
  /** Uses of skills by name; undefined if they are not counted. */
  analytics: { recentUses(): Promise<Uses | undefined> };
  owners: Pick<SkillOwners, 'find'>;
}

type Uses = ReadonlyMap<string, { uses: number }>;

/** The library: what a user may use, for browsing. */
export function libraryRoutes(router: Router, dependencies: Dependencies): void {
  const { analytics, owners } = dependencies;

  route(router, libraryApi.list, async ({ caller, query, language }) => {
    const view = getSkillView(dependencies, caller, undefined);
    const uses = await analytics.recentUses();
    const found = query.query?.trim()
      ? searchSkills(view, query.query).map(({ skill }) => skill)
      : sortSkills(view, query.order, { uses, language });
    const { category } = query;
    const chosen =
      category === undefined ? found : found.filter((skill) => skill.category === category);
    const page = paginate(chosen, query);
    return {
      ...page,
      items: page.items.map((skill) => ({
        ...toSkillSummary(view, skill),
        ...factsOf(view, skill, uses),
      })),
      categories: countCategories(view.skills),
    };
  });

  route(router, libraryApi.get, async ({ caller, params }) => {
    const found = findSkill(getSkillView(dependencies, caller, undefined), params.name);
    const [detail, examples, uses, owner] = await Promise.all([
      describeVisibleSkill(dependencies, caller, found),
      readExamples(found.view, found.skill),
      analytics.recentUses(),
      owners.find(found.skill.id),
    ]);
    return {
      ...detail,
      ...factsOf(found.view, found.skill, uses),
      examples,
      owner: owner?.name,
      ...reviewOf(dependencies, caller, { skill: found.skill, owner }),
    };
  });
}

/** For those who may change the date. */
function reviewOf(
  dependencies: SkillDependencies,
  caller: Caller,
  { skill, owner }: { skill: VisibleSkill; owner: SkillOwner | undefined },
): { review?: { by?: string } } {
  if (caller.anonymous || skill.isPersonal || !ownerTest(dependencies, caller)(owner)) {
    return {};
  }
  const date = getSkillSettings(skill.id, dependencies.contents().skills)?.reviewBy;
  return { review: date === undefined ? {} : { by: date } };
}

type Facts = Pick<LibrarySkill, 'uses' | 'published'>;

function factsOf(view: SkillView, skill: VisibleSkill, uses: Uses | undefined): Facts {
  const at = view.getPublishedAt(skill);
  const number = view.getVersion(skill)?.number;
  return {
    ...(uses ? { uses: uses.get(skill.id)?.uses ?? 0 } : {}),
    ...(at === undefined || number === undefined ? {} : { published: { number, at } }),
  };
}

/** Ties are in the order of the titles. */
function sortSkills(
  view: SkillView,
  order: LibraryOrder,
  { uses, language }: { uses: Uses | undefined; language: string },
): readonly VisibleSkill[] {
  const named = sortByTitle(view.skills, findLanguage(language));
  if (order === 'name') {
    return named;
  }
  const rankOf = (skill: VisibleSkill): string | number =>
    order === 'popular' ? (uses?.get(skill.id)?.uses ?? 0) : (view.getPublishedAt(skill) ?? '');
  const ranked = named
    .map((skill) => ({ skill, rank: rankOf(skill) }))
    .sort((one, other) => Number(one.rank < other.rank) - Number(one.rank > other.rank))
    .map(({ skill }) => skill);
  return withDeprecatedLast(ranked, (skill) => skill);
}

/** The same for all users, so that pages are stable. */
const byName = new Intl.Collator('en', { numeric: true });

/** Sorted lists by language. Cached by the list, because all users who see everything have the same. */
const sortedLists = new WeakMap<readonly VisibleSkill[], Map<string, readonly VisibleSkill[]>>();

/** @param language one of the interface, of which there are few */
function sortByTitle(skills: readonly VisibleSkill[], language: string): readonly VisibleSkill[] {
  const known = sortedLists.get(skills) ?? new Map<string, readonly VisibleSkill[]>();
  sortedLists.set(skills, known);
  const sorted =
    known.get(language) ??
    skills
      .map((skill) => ({ skill, title: localizeSkill(skill, language).title }))
      .sort((one, other) => byName.compare(one.title, other.title))
      .map(({ skill }) => skill);
  known.set(language, sorted);
  return sorted;
}

function countCategories(skills: readonly VisibleSkill[]): { name: string; skills: number }[] {
  const counts = new Map<string, number>();
  for (const { category } of skills) {
    if (category) {
      counts.set(category, (counts.get(category) ?? 0) + 1);
    }
  }
  return [...counts]
    .map(([name, count]) => ({ name, skills: count }))
    .sort((one, other) => byName.compare(one.name, other.name));
}

const maxFiles = 5;
const maxBytes = 256 * 1024;

/**
 * Prompts of the author's trigger tests that should activate the skill, without hidden characters; files that cannot be
 * read are skipped.
 */
async function readExamples(view: SkillView, skill: VisibleSkill): Promise<string[]> {
  const listed = (await view.listFiles(skill)).filter(({ path }) => isEvalsFile(path));
  const examples = new Set<string>();
  for (const { path } of listed.slice(0, maxFiles)) {
    const file = await view.openFile(skill, path).catch(() => undefined);
    if (!file || file.size > maxBytes) {
      continue;
    }
    const { json } = parsePrompts((await file.read(0, file.size)).toString('utf8'));
    for (const { prompt, shouldTrigger } of promptsIn(path, json)) {
      const example = prompt.trim();
      const isPlain = example === withoutHiddenCharacters(example);
      if (
        isPlain &&
        shouldTrigger &&
        example.length <= maxExampleLength &&
        examples.size < maxExamples
      ) {
        examples.add(example);
      }
    }
  }
  return [...examples];
}
