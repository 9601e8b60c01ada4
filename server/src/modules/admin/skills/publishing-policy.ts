import { type Problem, problem } from '@knowhow/shared/problem';
import type { SkillsConfig } from '@knowhow/shared/skills/skills-config';
import type { SkillAdmin } from './skill-admin.ts';

type Policy = SkillsConfig['settings']['publishing'];

export function getPublishingPolicy({ contents }: Pick<SkillAdmin, 'contents'>): Policy {
  return contents().skills.settings.publishing;
}

/** Whether an administrator may change published files only through a review. */
export function needsReview(admin: Pick<SkillAdmin, 'contents'>, isPublisher: boolean): boolean {
  const { mode, fourEyes } = getPublishingPolicy(admin);
  return mode === 'review' && (fourEyes || !isPublisher);
}

/**
 * Throws `review-required` for a change of published files that no review has approved, unless the
 * settings allow it to this administrator.
 */
export function rejectUnreviewed(
  admin: Pick<SkillAdmin, 'contents'>,
  isPublisher: boolean,
  name: string,
): void {
  if (needsReview(admin, isPublisher)) {
    throw reviewRequired(
      `Changes of skill "${name}" need a review. Save them as a draft (/api/skill-drafts), then submit it.`,
    );
  }
}

/**
 * Throws `review-required` for a deletion, or for the restoration or preview of a version, which was
 * published before, by an administrator who may not publish.
 */
export function rejectWithoutRight(
  admin: Pick<SkillAdmin, 'contents'>,
  isPublisher: boolean,
  name: string,
): void {
  if (getPublishingPolicy(admin).mode === 'review' && !isPublisher) {
    throw reviewRequired(
      `Only administrators with the right "publish" delete skill "${name}", or restore or preview its versions. Ask one of them.`,
    );
  }
}

function reviewRequired(sentence: string): Problem {
  return problem('review-required', sentence);
}

/** Whether an administrator of skills may approve reviews. */
export function mayPublish(admin: Pick<SkillAdmin, 'contents'>, isPublisher: boolean): boolean {
  return isPublisher || getPublishingPolicy(admin).mode === 'direct';
}
