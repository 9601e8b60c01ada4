import {
  coversCategories,
  getSkillScope,
  type SkillRight,
  type SkillScope,
  skillRights,
} from '@knowhow/shared/access/admin-rights';
import { type Problem, problem } from '@knowhow/shared/problem';
import { type Caller, rightsListed } from '../../../platform/http/caller.ts';
import { categoryOf, noDraft, type PackedFile, type StoredReview } from '../../skills/index.ts';
import type { SkillAdmin } from './skill-admin.ts';
import { publishedEntries, type SkillEntry } from './skill-entries.ts';

/*
 * Rights on the skills of some categories (`permissions.skillRights` of a group). What they do not cover does not exist
 * for their holder.
 */

type Category = string | undefined;
/** A draft or review: its skill, and the category of its files. */
type Change = Pick<StoredReview, 'skill' | 'category'>;
type Snapshot = SkillAdmin['skills']['snapshot'];
interface CategoryReader {
  skills: Pick<SkillAdmin['skills'], 'snapshot'>;
  versions: Pick<SkillAdmin['versions'], 'categories'>;
}

/** The categories that one of these rights of a caller covers. */
export function scopeOf(
  { permissions }: Pick<Caller, 'permissions'>,
  rights: readonly SkillRight[] = skillRights,
): SkillScope {
  return getSkillScope(rightsListed(permissions.adminAccess), rights);
}

/** The skills of a list that a scope covers. */
export function coveredEntries(
  all: readonly SkillEntry[],
  scope: SkillScope,
  snapshot: Snapshot,
): readonly SkillEntry[] {
  return scope === 'all'
    ? all
    : all.filter((entry) =>
        coversCategories(scope, [
          grantedCategory(entry),
          ...publishedCategories(snapshot, entry.name),
        ]),
      );
}

/**
 * Throws `not-found` unless the caller has a right on a skill, and `forbidden` if they have another than these. A
 * deleted skill counts with the categories of all its versions.
 */
export async function checkSkill(
  admin: SkillAdmin,
  caller: Caller,
  name: string,
  rights: readonly SkillRight[] = skillRights,
): Promise<void> {
  const scope = scopeOf(caller, rights);
  if (scope === 'all') {
    return;
  }
  const categories = await readCategories(admin, name);
  if (!coversCategories(scopeOf(caller), categories)) {
    throw noSkill(name);
  }
  if (!coversCategories(scope, categories)) {
    throw problem('forbidden', `You do not have the right "${rights[0]}" on skill "${name}".`);
  }
}

/**
 * Throws `not-found` unless the caller may write a skill or begin one of this name. Drafts of new skills belong to the
 * authors of their category: an administrator may have moved one.
 *
 * @param rights other rights than to write it, of which one is enough
 */
export async function checkDraftAccess(
  admin: SkillAdmin,
  caller: Caller,
  skill: string,
  rights: readonly SkillRight[] = ['author'],
): Promise<void> {
  const scope = scopeOf(caller, rights);
  if (scope === 'all') {
    return;
  }
  const categories = await readCategories(admin, skill);
  const draft = categories.length === 0 ? await admin.drafts.get(skill) : undefined;
  if (categories.length > 0 && !coversCategories(scope, categories)) {
    throw noSkill(skill);
  }
  if (draft && !coversCategories(scope, [draft.category])) {
    throw noDraft(skill, { isHidden: true });
  }
}

/** Whether a caller may write a skill or, if it was never published, files of this category as a new skill. */
export async function mayWriteAs(
  admin: SkillAdmin,
  caller: Caller,
  skill: string,
  category: Category,
): Promise<boolean> {
  const scope = scopeOf(caller, ['author']);
  const published = await readCategories(admin, skill);
  return scope === 'all' || coversCategories(scope, published.length > 0 ? published : [category]);
}

/** Whether a caller may publish files of this category as a skill: it may move the skill to another category. */
export async function mayPublishAs(
  admin: SkillAdmin,
  caller: Caller,
  skill: string,
  category: Category,
): Promise<boolean> {
  const scope = scopeOf(caller, ['publish']);
  return (
    scope === 'all' || coversCategories(scope, [...(await readCategories(admin, skill)), category])
  );
}

/**
 * The reviews that a caller may see: those of skills on which they have rights. Not even their own of another category,
 * because a review shows what is published now.
 */
export function filterReviews<Review extends Change>(
  admin: SkillAdmin,
  caller: Caller,
  reviews: readonly Review[],
): Promise<readonly Review[]> {
  return filterChanges(admin, scopeOf(caller, ['author', 'publish']), reviews);
}

/** The drafts that a caller may write. */
export function filterDrafts<Draft extends Change>(
  admin: SkillAdmin,
  caller: Caller,
  drafts: readonly Draft[],
): Promise<readonly Draft[]> {
  return filterChanges(admin, scopeOf(caller, ['author']), drafts);
}

async function filterChanges<Each extends Change>(
  admin: SkillAdmin,
  scope: SkillScope,
  changes: readonly Each[],
): Promise<readonly Each[]> {
  if (scope === 'all') {
    return changes;
  }
  const names = [...new Set(changes.map(({ skill }) => skill))];
  const categories = await readAllCategories(admin, names);
  return changes.filter((change) =>
    coversCategories(scope, orSubmitted(categories.get(change.skill), change)),
  );
}

/** The categories that decide who sees a review. */
export async function readReviewCategories(
  reader: CategoryReader,
  review: Change,
): Promise<readonly Category[]> {
  return orSubmitted(await readCategories(reader, review.skill), review);
}

/** A skill that was never published counts with the category of its draft or review. */
function orSubmitted(published: readonly Category[] = [], { category }: Change) {
  return published.length > 0 ? published : [category];
}

/** Maximum length of a category in a message. */
const maxNamed = 200;

/** Throws `forbidden` for files in a category whose skills the author may not write. */
export function checkCategory(scope: SkillScope, files: readonly PackedFile[]): void {
  const category = categoryOf(files);
  if (scope === 'all' || coversCategories(scope, [category])) {
    return;
  }
  const named = category && category.length > maxNamed ? 'with a very long name' : `"${category}"`;
  const where = category ? `the category ${named}` : 'no category';
  const own = [...scope].map((name) => `"${name}"`).join(', ');
  throw problem(
    'forbidden',
    `This skill would be in ${where}. You write skills of ${own}: set "category" in its SKILL.md.`,
  );
}

/**
 * The categories that decide about the rights on names: those of the skills there are or, if one was deleted, those of
 * all its versions, which a new skill of this name would show again. None for a name that was never used.
 */
async function readAllCategories(
  { skills, versions }: CategoryReader,
  names: readonly string[],
): Promise<ReadonlyMap<string, readonly Category[]>> {
  const found = new Map(names.map((name) => [name, publishedCategories(skills.snapshot, name)]));
  const others = names.filter((name) => found.get(name)?.length === 0);
  return new Map([...found, ...(await versions.categories(others))]);
}

async function readCategories(reader: CategoryReader, name: string): Promise<readonly Category[]> {
  return (await readAllCategories(reader, [name])).get(name) ?? [];
}

/** The category of a skill of another server does not count: that server sets it. */
function publishedCategories(snapshot: Snapshot, name: string): Category[] {
  return publishedEntries(snapshot, name).map(grantedCategory);
}

function grantedCategory({ skill, source }: SkillEntry): Category {
  return source.isRemote ? undefined : skill.category;
}

function noSkill(name: string): Problem {
  return problem('not-found', `There is no skill "${name}" on which you have rights.`);
}
