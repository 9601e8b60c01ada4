import { holdsRight } from '@knowhow/shared/access/admin-rights';
import { type Problem, problem } from '@knowhow/shared/problem';
import { getCategoryPolicy, type PublishingPolicy } from '@knowhow/shared/skills/publishing-policy';
import { categoryKey } from '@knowhow/shared/skills/skill-category';
import { type Caller, rightsListed } from '../../../platform/http/caller.ts';
import type { SkillAdmin } from './skill-admin.ts';
import { publishedEntries } from './skill-entries.ts';

type Category = string | undefined;
type PolicyAdmin = Pick<SkillAdmin, 'contents' | 'skills'>;

/**
 * The policy for a change of a skill: that of its published category and of the categories that it would get,
 * whichever is stricter. So moving a skill to another category does not evade the policy of the one before.
 */
export function getPublishingPolicy(
  { contents, skills }: PolicyAdmin,
  name: string,
  ...next: Category[]
): PublishingPolicy {
  const published = publishedEntries(skills.snapshot, name);
  const categories = [...published.map(({ skill }) => skill.category), ...next];
  return getCategoryPolicy(contents().skills.settings.publishing, categories);
}

/** Whether an administrator may make a change with this policy only through a review. */
export function needsReview(
  { mode, fourEyes }: Pick<PublishingPolicy, 'mode' | 'fourEyes'>,
  isPublisher: boolean,
): boolean {
  return mode === 'review' && (fourEyes || !isPublisher);
}

/**
 * Throws `review-required` for a change of published files that no review has approved, unless the
 * policy allows it to this administrator.
 */
export function rejectUnreviewed(
  policy: PublishingPolicy,
  isPublisher: boolean,
  name: string,
): void {
  if (needsReview(policy, isPublisher)) {
    throw reviewRequired(
      policy,
      `Changes of skill "${name}" need a review. Save them as a draft (/api/skill-drafts), then submit it.`,
    );
  }
}

/**
 * Throws `review-required` for a deletion, or for the restoration or preview of a version, which was
 * published before, by an administrator who may not publish.
 */
export function rejectWithoutRight(
  policy: PublishingPolicy,
  isPublisher: boolean,
  name: string,
): void {
  if (policy.mode === 'review' && !isPublisher) {
    throw reviewRequired(
      policy,
      `Only administrators with the right "publish" delete skill "${name}", or restore or preview its versions. Ask one of them.`,
    );
  }
}

function reviewRequired({ categories }: PublishingPolicy, sentence: string): Problem {
  const names = categories.map((name) => `"${name}"`).join(', ');
  return problem(
    'review-required',
    names === '' ? sentence : `${sentence} This is the policy of the category ${names}.`,
  );
}

/** Whether a caller may approve reviews. Without reviews required, administrators of all skills may, too. */
export function mayPublish(
  { mode }: PublishingPolicy,
  { permissions }: Pick<Caller, 'permissions'>,
  isPublisher: boolean,
): boolean {
  return (
    isPublisher ||
    (mode === 'direct' && holdsRight(rightsListed(permissions.adminAccess), ['skills']))
  );
}

/** For the audit log: the categories whose policy decided, if any did. */
export function auditPolicy({ categories }: PublishingPolicy): { policyOf?: string[] } {
  return categories.length > 0 ? { policyOf: categories } : {};
}

/** For the audit log: both categories if a change moves a skill, because they decide about policy and access. */
export function auditMove(
  from: Category,
  to: Category,
): { category?: { from: string; to: string } } {
  return categoryKey(from) === categoryKey(to)
    ? {}
    : { category: { from: from ?? '', to: to ?? '' } };
}

/** The policy as pages show it. */
export function describePolicy({ mode, fourEyes, categories }: PublishingPolicy) {
  return { mode, fourEyes, categories };
}
