import { skillDraftSchema } from '@knowhow/shared/skills/skill-drafts';
import type { RemoteInstallation } from './remote-installation.ts';
import { toLine } from './terminal.ts';

/** The state of a submitted review, in words. */
export interface SubmittedReview {
  /** Whether a decision is still to come; also if it cannot be read. */
  isOpen: boolean;
  why: string;
}

const nextStep = 'Publish it again with --replace, or move the folder away and sync.';

/**
 * Reads the state of the review of a skill whose published version has not changed since. A key reads drafts, but no
 * reviews, and only with the scope *Authoring*.
 *
 * @param review the address of the page of the review
 */
export async function readSubmittedReview(
  installation: Pick<RemoteInstallation, 'send'>,
  name: string,
  review: string,
): Promise<SubmittedReview> {
  const page = toLine(review);
  const open = (why: string, at = page) => ({ isOpen: true, why: `${why}: ${at}` });
  const closed = (why: string) => ({ isOpen: false, why: `${why} ${nextStep} ${page}` });
  const isSame = ({ id }: { id: string }) => review.endsWith(`/${encodeURIComponent(id)}`);
  const { status, body } = await installation.send('GET', `${draftPath(name)}?contents=false`);
  if (status === 404) {
    // Also the answer about categories in which the key has no right.
    return closed('Its review is closed, or this key may not see it.');
  }
  const draft = status === 200 ? skillDraftSchema.safeParse(body).data : undefined;
  if (!draft) {
    return open(
      status === 401 || status === 403
        ? 'It was submitted for review. A key with the scope Authoring shows the decision'
        : `It was submitted for review, whose state cannot be read now (${status})`,
    );
  }
  if (draft.review) {
    return isSame(draft.review)
      ? open('It was submitted for review')
      : open(
          `Its draft was submitted again by ${toLine(draft.review.author)}, and the folder has an earlier state`,
          toLine(new URL(encodeURIComponent(draft.review.id), review).href),
        );
  }
  if (draft.returned && isSame(draft.returned)) {
    const { by, comment } = draft.returned;
    const reason = comment === '' ? '' : `: "${toLine(comment)}"`;
    return closed(`${toLine(by)} returned it${reason}.`);
  }
  return closed('Its review was withdrawn.');
}

/** Also the address to which a draft is saved. */
export function draftPath(name: string): string {
  return `/api/skill-drafts/${encodeURIComponent(name)}`;
}
