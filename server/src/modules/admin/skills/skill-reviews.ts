import { problem } from '@knowhow/shared/problem';
import type { VersionChange } from '@knowhow/shared/skills/file-changes';
import type { PublishingPolicy } from '@knowhow/shared/skills/publishing-policy';
import type { SkillReview, SkillReviewDetail } from '@knowhow/shared/skills/skill-reviews';
import type { Caller } from '../../../platform/http/caller.ts';
import { getFilesChecksum } from '../../../platform/lib/files-checksum.ts';
import {
  closedReview,
  compareManifests,
  getBlock,
  noReview,
  type StoredReview,
  toolFile,
} from '../../skills/index.ts';
import { isScript } from '../../tools/index.ts';
import { type BlockAdmin, rejectBlockedFiles } from './block-skill.ts';
import { checkReviewed } from './check-publication.ts';
import { runChecks } from './publication-checks.ts';
import {
  checkWritable,
  findPublished,
  type PublishedSkill,
  readPublishedManifest,
} from './published-skill.ts';
import {
  auditMove,
  auditPolicy,
  describePolicy,
  getPublishingPolicy,
  mayPublish,
} from './publishing-policy.ts';
import { reportFiles } from './report-archive.ts';
import type { Change, SkillAdmin } from './skill-admin.ts';
import { clearAssignments } from './skill-assignments.ts';
import { skillReach } from './skill-reach.ts';
import { filterReviews, mayPublishAs } from './skill-scope.ts';

interface Decision {
  id: string;
  /** The person who decides. */
  caller: Caller;
  comment: string | undefined;
}

type Approval = Decision & {
  /** Why failed required checks do not stop the publication. */
  override: { reason: string } | undefined;
};

/** A page of the open or closed reviews that a caller may see. */
export async function listReviews(
  admin: SkillAdmin,
  caller: Caller,
  page: Parameters<SkillAdmin['reviews']['list']>[0],
) {
  const { items, ...rest } = await admin.reviews.list(page, (heads) =>
    filterReviews(admin, caller, heads),
  );
  return { ...rest, items: items.map(toReview) };
}

/** A review with its differences, diagnostics and whom it affects. */
export async function describeReview(
  admin: BlockAdmin,
  { id, caller }: { id: string; caller: Caller },
): Promise<SkillReviewDetail> {
  const review = await findReview(admin, caller, id);
  const isOpen = review.state === 'open';
  const published = await findPublished(admin, review.skill);
  const { name, entry, newest } = published;
  const draft = isOpen ? await admin.drafts.get(name) : undefined;
  const compared = await compareReview(admin, review, isOpen && entry ? newest : review.base);
  const files = await admin.drafts.files(review.manifest);
  const [report] = files ? (await reportFiles(admin, name, files)).skills : [];
  const isAuthor = review.authors.some((author) => author.id === caller.id);
  const { policy, mayDecide: mayDecideOpen } = await rightsOn(admin, caller, review);
  const needsOther = isOpen && isAuthor && policy.fourEyes;
  const mayDecide = isOpen && mayDecideOpen;
  const isOutdated = isOpen && review.base !== newest;
  const before = () => readPublishedManifest(admin, published);
  const checks = isOpen ? await runChecks(admin, { ...review, published: before }) : undefined;
  const block = isOpen ? getBlock(name, admin.contents().skills) : undefined;
  const isBlocked = checks?.some(({ id: check, passed }) => check === 'blocked' && !passed);
  return {
    review: toReview(review),
    ...(entry && newest !== undefined ? { published: newest } : {}),
    ...compared,
    isOutdated,
    isDraftChanged: draft !== undefined && draft.checksum !== review.checksum,
    may: {
      approve: mayDecide && !needsOther && !isOutdated && !isBlocked,
      return: mayDecide,
      withdraw: isOpen && (isAuthor || mayDecide),
    },
    needsOther,
    ...(block ? { blockReason: block.reason } : {}),
    affected: await describeAffected(admin, name),
    ...(isOpen ? { policy: describePolicy(policy) } : {}),
    ...(checks ? { checks } : {}),
    ...(await readOverride(admin, review)),
    ...(report ? { report } : {}),
  };
}

/**
 * Publishes exactly the submitted files as a new version, once. Throws `forbidden` without the right,
 * or for an author where four eyes are required, `conflict` if the review is closed or another
 * version was published since the draft was begun, and `check-failed` without an override.
 */
export function approveReview(admin: SkillAdmin, decision: Approval): Promise<SkillReview> {
  const { writer, skills, versions, reviews, audit } = admin;
  const { id, caller, comment } = decision;
  const by = { id: caller.id, name: caller.name };
  return writer.exclusive(async () => {
    const review = await findOpenReview(admin, caller, id);
    const { policy, isPublisher, mayDecide } = await rightsOn(admin, caller, review);
    checkMayDecide(mayDecide);
    checkKey(policy, caller, review);
    checkFourEyes(policy, caller, review);
    const files = await admin.drafts.files(review.manifest);
    if (!files) {
      throw problem(
        'conflict',
        `The files of this review are not completely stored. Return it, and ask for a new draft.`,
      );
    }
    await rejectBlockedFiles(admin, files);
    const published = await findPublished(admin, review.skill);
    await checkWritable(admin, published);
    const path = published.entry?.path ?? published.name;
    const before = await skills.readWritable(path);
    checkBase(review, published, before && (await getFilesChecksum(before)));
    const move = published.entry ? auditMove(published.entry.skill.category, review.category) : {};
    const override = await checkReviewed(
      admin,
      { ...review, published: () => readPublishedManifest(admin, published) },
      { reason: decision.override?.reason, isPublisher },
    );
    if (!published.entry) {
      await clearAssignments(admin, [published.name]);
    }
    await writer.install(path, files);
    await skills.refresh(path);
    const version = await versions.publish(
      published.name,
      {
        action: 'published',
        summary: '',
        message: review.message,
        origin: { kind: 'page' },
        by: review.author,
        reviewedBy: by.name,
        override,
        files,
      },
      (write, number) => reviews.approve(write, review, { by, comment, version: number }),
    );
    await audit.record({
      by,
      action: 'review-approved',
      kind: 'skill',
      target: published.name,
      before: { version: review.base, checksum: published.checksum },
      after: {
        review: id,
        version,
        digest: review.digest,
        author: review.author.name,
        comment,
        override,
        ...auditPolicy(policy),
        ...move,
      },
    });
    return toReview(await reviews.get(id));
  });
}

/** Returns a draft to its author. Throws `forbidden` without the right to publish. */
export async function returnReview(admin: SkillAdmin, decision: Decision): Promise<SkillReview> {
  const review = await findOpenReview(admin, decision.caller, decision.id);
  checkMayDecide((await rightsOn(admin, decision.caller, review)).mayDecide);
  return closeReview(admin, 'returned', { ...decision, by: decision.caller });
}

/** Withdraws a review: its authors may, and administrators with the right to publish. */
export async function withdrawReview(admin: SkillAdmin, decision: Decision): Promise<SkillReview> {
  const { caller } = decision;
  const review = await admin.reviews.get(decision.id);
  if (!review.authors.some(({ id }) => id === caller.id)) {
    await findReview(admin, caller, decision.id);
    checkMayDecide(!caller.key && (await rightsOn(admin, caller, review)).mayDecide);
  }
  checkOpen(review);
  return closeReview(admin, 'withdrawn', { ...decision, by: caller });
}

/** Withdraws the proposal of a user whose skill is deleted, unless it is decided already. */
export async function withdrawIfOpen(
  admin: Pick<SkillAdmin, 'reviews' | 'audit'>,
  id: string | undefined,
  by: Change['by'],
): Promise<void> {
  const review = id === undefined ? undefined : await admin.reviews.find(id);
  if (review?.state === 'open') {
    await closeReview(admin, 'withdrawn', { id: review.id, by, comment: undefined });
  }
}

async function closeReview(
  { reviews, audit }: Pick<SkillAdmin, 'reviews' | 'audit'>,
  state: 'returned' | 'withdrawn',
  { id, by: { id: user, name }, comment }: Omit<Decision, 'caller'> & { by: Change['by'] },
): Promise<SkillReview> {
  const by = { id: user, name };
  const review = await reviews.close(id, state, { by, comment });
  await audit.record({
    by,
    action: `review-${state}`,
    kind: 'skill',
    target: review.skill,
    after: { review: id, author: review.author.name, comment },
  });
  return toReview(review);
}

/** A review that the caller may see. Throws `not-found`. */
export async function findReview(
  admin: SkillAdmin,
  caller: Caller,
  id: string,
): Promise<StoredReview> {
  const review = await admin.reviews.get(id);
  if ((await filterReviews(admin, caller, [review])).length === 0) {
    throw noReview(id);
  }
  return review;
}

async function findOpenReview(
  admin: SkillAdmin,
  caller: Caller,
  id: string,
): Promise<StoredReview> {
  const review = await findReview(admin, caller, id);
  checkOpen(review);
  return review;
}

function checkOpen({ state }: StoredReview): void {
  if (state !== 'open') {
    throw closedReview();
  }
}

/** The policy for the publication of what was submitted, and what a caller may do. */
async function rightsOn(
  admin: SkillAdmin,
  caller: Caller,
  { skill, category }: StoredReview,
): Promise<{ policy: PublishingPolicy; isPublisher: boolean; mayDecide: boolean }> {
  const policy = getPublishingPolicy(admin, skill, category);
  const isPublisher = await mayPublishAs(admin, caller, skill, category);
  return { policy, isPublisher, mayDecide: mayPublish(policy, caller, isPublisher) };
}

function checkMayDecide(mayDecide: boolean): void {
  if (!mayDecide) {
    throw problem('forbidden', 'This is for administrators with the right "publish".');
  }
}

/** A key publishes what its user has submitted, where no review is required. Otherwise, a person decides. */
function checkKey({ mode }: PublishingPolicy, { id, key }: Caller, { author }: StoredReview): void {
  if (key && (mode === 'review' || author.id !== id)) {
    throw problem(
      'forbidden',
      'API keys only publish changes of their own users, and only where no review is required. Sign in.',
    );
  }
}

function checkFourEyes(policy: PublishingPolicy, caller: Caller, { authors }: StoredReview): void {
  if (policy.fourEyes && authors.some(({ id }) => id === caller.id)) {
    throw problem(
      'forbidden',
      'You have written this change. Ask another administrator with the right "publish" to approve it.',
    );
  }
}

/**
 * Throws `conflict` unless the review is based on what is published. Files that are already the
 * submitted ones are left by an approval that was interrupted.
 */
function checkBase(
  review: StoredReview,
  { name, newest }: PublishedSkill,
  checksum: string | undefined,
): void {
  if (checksum !== review.checksum && newest !== review.base) {
    throw problem(
      'conflict',
      `Skill "${name}" was changed since this draft was begun. Return it, so that its author updates the draft to the published version and submits it again.`,
    );
  }
}

async function compareReview(
  { versions }: SkillAdmin,
  review: StoredReview,
  from: number | undefined,
): Promise<Pick<SkillReviewDetail, 'from' | 'changes' | 'code'>> {
  const before = from === undefined ? undefined : await versions.manifest(review.skill, from);
  const changes = await compareManifests(before ?? [], review.manifest, versions);
  const code = changes.filter(isCode).map(({ path }) => path);
  const codeFirst = changes.toSorted((one, other) => Number(isCode(other)) - Number(isCode(one)));
  return { ...(before ? { from } : {}), changes: codeFirst, code };
}

/** The failed checks that the approval has overridden, if its version is kept. */
async function readOverride(
  { versions }: SkillAdmin,
  { skill, decided }: StoredReview,
): Promise<Pick<SkillReviewDetail, 'override'>> {
  const version =
    decided?.version === undefined ? undefined : await versions.get(skill, decided.version);
  return version?.override ? { override: version.override } : {};
}

/** A script or tool that is new or changed. */
function isCode({ path, change }: VersionChange): boolean {
  return change !== 'removed' && (path === toolFile || isScript(path));
}

async function describeAffected(
  { contents, analytics, skills }: BlockAdmin,
  name: string,
): Promise<SkillReviewDetail['affected']> {
  const { apps } = contents();
  const reach = skillReach(contents(), skills.snapshot)(name);
  const pinned = reach.apps.flatMap((app) => {
    const version = apps.get(app)?.pins.get(name);
    return version === undefined ? [] : [{ app, version }];
  });
  const uses = await analytics.recentUses();
  return {
    following: reach.apps.filter((app) => !apps.get(app)?.pins.has(name)),
    pinned,
    groups: reach.groups,
    ...(uses ? { uses: uses.get(name)?.uses ?? 0 } : {}),
  };
}

/** A review as administrators see it. */
export function toReview(review: StoredReview): SkillReview {
  const { id, skill, state, message, author, created, base, digest, files, bytes, decided } =
    review;
  return {
    id,
    skill,
    state,
    message,
    author: author.name,
    created,
    ...(base === undefined ? {} : { base }),
    digest,
    files,
    bytes,
    ...(decided ? { decided } : {}),
    comments: review.comments,
  };
}
