import {
  coversCategories,
  getSkillScope,
  type SkillRight,
  type SkillScope,
  skillRights,
} from '@knowhow/shared/access/admin-rights';
import { type Problem, problem } from '@knowhow/shared/problem';
import { type Caller, rightsListed } from '../../../platform/http/caller.ts';
import {
  categoryOf,
  categoryOfStored,
  noDraft,
  type PackedFile,
  readVersionCategories,
  type StoredReview,
} from '../../skills/index.ts';
import type { SkillAdmin } from './skill-admin.ts';
import { publishedEntries, type SkillEntry } from './skill-entries.ts';

/*
 * Rights on the skills of some categories (`permissions.skillRights` of a group). What they do not cover does not exist
 * for their holder.
 */

type ReviewHead = Pick<StoredReview, 'skill' | 'manifest'>;
type Snapshot = SkillAdmin['skills']['snapshot'];

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
  const denial = await findDraftDenial(admin, scopeOf(caller, rights), skill);
  if (denial) {
    throw denial;
  }
}

/** Whether a caller may write a skill, or a draft of a new one. */
export async function mayWriteDraft(
  admin: SkillAdmin,
  caller: Caller,
  skill: string,
): Promise<boolean> {
  return (await findDraftDenial(admin, scopeOf(caller, ['author']), skill)) === undefined;
}

async function findDraftDenial(
  admin: SkillAdmin,
  scope: SkillScope,
  skill: string,
): Promise<Problem | undefined> {
  if (scope === 'all') {
    return undefined;
  }
  const categories = await readCategories(admin, skill);
  if (categories.length > 0) {
    return coversCategories(scope, categories) ? undefined : noSkill(skill);
  }
  const draft = await admin.drafts.get(skill);
  const category = draft && (await categoryOfStored(admin.versions, draft.manifest));
  return !draft || coversCategories(scope, [category]) ? undefined : noDraft(skill);
}

/** Whether a caller may publish files of this category as a skill: it may move the skill to another category. */
export async function mayPublishAs(
  admin: SkillAdmin,
  caller: Caller,
  skill: string,
  category: string | undefined,
): Promise<boolean> {
  const scope = scopeOf(caller, ['publish']);
  return (
    scope === 'all' || coversCategories(scope, [...(await readCategories(admin, skill)), category])
  );
}

/**
 * Tells which reviews a caller may see: those of skills on which they have rights. A skill that was never published
 * counts with the category that was submitted. Not even their own of another category, because a review shows what is
 * published now. Undefined for all.
 */
export function reviewFilter(
  admin: SkillAdmin,
  caller: Caller,
): ((review: ReviewHead) => Promise<boolean>) | undefined {
  const scope = scopeOf(caller, ['author', 'publish']);
  if (scope === 'all') {
    return undefined;
  }
  // A skill may have hundreds of reviews.
  const known = new Map<string, Awaited<ReturnType<typeof readCategories>>>();
  return async ({ skill, manifest }) => {
    const categories = known.get(skill) ?? (await readCategories(admin, skill));
    known.set(skill, categories);
    return coversCategories(
      scope,
      categories.length > 0 ? categories : [await categoryOfStored(admin.versions, manifest)],
    );
  };
}

/** Throws `forbidden` for files in a category whose skills the author may not write. */
export function checkCategory(scope: SkillScope, files: readonly PackedFile[]): void {
  const category = categoryOf(files);
  if (scope === 'all' || coversCategories(scope, [category])) {
    return;
  }
  const where = category ? `the category "${category}"` : 'no category';
  const own = [...scope].map((name) => `"${name}"`).join(', ');
  throw problem(
    'forbidden',
    `This skill would be in ${where}. You write skills of ${own}: set "category" in its SKILL.md.`,
  );
}

/**
 * The categories that decide about the rights on a name: those of the skills there are or, if it was deleted, those of
 * all its versions, which a new skill of this name would show again. None for a name that was never used.
 */
async function readCategories(
  { skills, versions }: SkillAdmin,
  name: string,
): Promise<(string | undefined)[]> {
  const published = publishedCategories(skills.snapshot, name);
  return published.length > 0 ? published : readVersionCategories(versions, name);
}

/** The category of a skill of another server does not count: that server sets it. */
function publishedCategories(snapshot: Snapshot, name: string): (string | undefined)[] {
  return publishedEntries(snapshot, name).map(grantedCategory);
}

function grantedCategory({ skill, source }: SkillEntry): string | undefined {
  return source.isRemote ? undefined : skill.category;
}

function noSkill(name: string): Problem {
  return problem('not-found', `There is no skill "${name}" on which you have rights.`);
}
