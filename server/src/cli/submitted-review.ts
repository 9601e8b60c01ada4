import { skillDraftSchema } from '@knowhow/shared/skills/skill-drafts';
import type { RemoteInstallation } from './remote-installation.ts';
import { toLine } from './terminal.ts';

/** What has become of a folder that was submitted for review, in words. */
export interface SubmittedReview {
  /** Whether a decision is still to come; also if the key may not read that. */
  isOpen: boolean;
  why: string;
}

/**
 * Asks what has become of a review of a skill whose published version has not changed since. A key reads drafts, but
 * no reviews, and only with the scope *Authoring*.
 *
 * @param review the address of the page of the review
 */
export async function readSubmittedReview(
  installation: Pick<RemoteInstallation, 'send'>,
  name: string,
  review: string,
): Promise<SubmittedReview> {
  const page = toLine(review);
  const isIt = (found: { id: string } | undefined) =>
    found !== undefined && review.endsWith(`/${encodeURIComponent(found.id)}`);
  const { status, body } = await installation.send('GET', `${draftPath(name)}?contents=false`);
  const draft = status === 200 ? skillDraftSchema.safeParse(body).data : undefined;
  if (status !== 404 && !draft) {
    return {
      isOpen: true,
      why: `It was submitted for review. A key with the scope Authoring shows the decision: ${page}`,
    };
  }
  if (isIt(draft?.review)) {
    return { isOpen: true, why: `It was submitted for review: ${page}` };
  }
  if (draft?.returned && isIt(draft.returned)) {
    const { by, comment } = draft.returned;
    const reason = comment === '' ? '' : `: "${toLine(comment)}"`;
    return { isOpen: false, why: `${toLine(by)} returned it${reason}. ${next} ${page}` };
  }
  const what = draft ? 'Its review was withdrawn.' : 'Its review is closed, and its draft deleted.';
  return { isOpen: false, why: `${what} ${next} ${page}` };
}

/** Also the address to which a draft is saved. */
export function draftPath(name: string): string {
  return `/api/skill-drafts/${encodeURIComponent(name)}`;
}

const next = 'Publish it again, or move the folder away and sync.';
