import {
  coversCategories,
  getSkillScope,
  type SkillRight,
  type SkillScope,
} from '@knowhow/shared/access/admin-rights';
import { fillIn } from '@knowhow/shared/fill-in';
import { withoutHiddenCharacters } from '@knowhow/shared/names';
import { localizeSkill } from '@knowhow/shared/skills/skill-translations';
import { rightsListed } from '../../../platform/http/caller.ts';
import type { ServerTexts } from '../../../platform/lib/locales.ts';
import type { Contents } from '../../content/index.ts';
import { type Caller, getSkillOwner } from '../../identity/index.ts';
import type { SkillReviews, StoredReview } from '../drafts/skill-reviews.ts';
import type { Inbox, StoredItem } from '../inbox/inbox.ts';
import { toReader } from '../inbox/to-reader.ts';
import type { SkillOwners } from '../owners/skill-owners.ts';
import type { PersonalSkills } from '../personal/personal-skills.ts';
import { getSkillSettings, shownTexts } from '../skill-settings.ts';
import type { SkillStore } from '../store/skill-store.ts';
import type { NewNotice } from './mail-queue.ts';

/** The subject of a notice, as it is now. */
export interface Subject {
  /** Whether it concerns a person: decides whom to tell. */
  concerns(caller: Caller): boolean;
  /**
   * Whether they see it on the pages now. It is asked again right before an e-mail is sent: rights may have been
   * revoked, and an item may have been closed.
   */
  isVisibleTo(caller: Caller): Promise<boolean>;
  /** A sentence without what people wrote to each other. Titles may have line breaks. */
  describe(texts: ServerTexts['mail'], language: string): string;
  /** The path of the page. */
  pathFor(caller: Caller): string;
}

export interface SubjectDependencies {
  contents: () => Contents;
  skills: Pick<SkillStore, 'snapshot'>;
  inbox: Inbox;
  owners: Pick<SkillOwners, 'find'>;
  reviews: Pick<SkillReviews, 'find' | 'comments'>;
  /** The categories that decide who sees a review on its page. */
  readCategories(review: StoredReview): Promise<readonly (string | undefined)[]>;
  personalSkills: Pick<PersonalSkills, 'list'>;
}

/** Reads what a notice is about; undefined if it no longer exists. */
export async function readSubject(
  dependencies: SubjectDependencies,
  { kind, ref }: Pick<NewNotice, 'kind' | 'ref'>,
): Promise<Subject | undefined> {
  if (kind === 'received' || kind === 'answered') {
    const item = await dependencies.inbox.read(ref);
    return item && (kind === 'received' ? receivedItem(dependencies, item) : answeredItem(item));
  }
  if (kind === 'commented') {
    return await comment(dependencies, ref);
  }
  const review = await dependencies.reviews.find(ref);
  return (
    review &&
    (kind === 'submitted'
      ? submittedReview(dependencies, review)
      : decidedReview(dependencies, review))
  );
}

async function receivedItem(dependencies: SubjectDependencies, item: StoredItem): Promise<Subject> {
  const { inbox, owners } = dependencies;
  const owner = await owners.find(item.skill);
  return {
    concerns: (caller) => {
      const { id, groups, readsAll, authored } = toReader(dependencies, caller);
      if (!owner) {
        return readsAll || (item.kind === 'suggestion' && authored.has(item.skill));
      }
      return owner.kind === 'group' ? groups.includes(owner.id) : owner.id === id;
    },
    isVisibleTo: async (caller) =>
      item.state === 'open' && (await inbox.receives(toReader(dependencies, caller), item.id)),
    describe: (texts, language) =>
      fillIn(item.kind === 'access' ? texts.request : texts.suggestion, {
        name: toName(item.from, texts),
        skill: titleOf(dependencies, { ...item, language }),
      }),
    pathFor: () => '/inbox',
  };
}

function answeredItem(item: StoredItem): Subject {
  const concerns = ({ id }: Caller) => item.user === id;
  const byKind = { access: 'requestAnswered', suggestion: 'suggestionAnswered' } as const;
  return {
    concerns,
    isVisibleTo: async (caller) => item.state !== 'open' && concerns(caller),
    describe: (texts) =>
      fillIn(item.state === 'granted' ? texts.granted : texts[byKind[item.kind]], {
        name: toName(item.closed?.by, texts),
        skill: withoutHiddenCharacters(item.title),
      }),
    pathFor: () => '/inbox?state=sent',
  };
}

async function submittedReview(
  dependencies: SubjectDependencies,
  review: StoredReview,
): Promise<Subject> {
  const categories = [...(await dependencies.readCategories(review)), review.category];
  const concerns = (caller: Caller) =>
    coversCategories(scopeOf(caller, ['publish']), categories) &&
    review.authors.every(({ id }) => id !== caller.id);
  return {
    concerns,
    isVisibleTo: async (caller) => review.state === 'open' && concerns(caller),
    describe: (texts, language) =>
      fillIn(texts.submitted, {
        name: toName(review.author.name, texts),
        skill: titleOf(dependencies, { ...review, title: review.skill, language }),
      }),
    pathFor: () => `/admin/reviews/${review.id}`,
  };
}

async function decidedReview(
  dependencies: SubjectDependencies,
  review: StoredReview,
): Promise<Subject> {
  const seesPage = await pageTest(dependencies, review);
  const concerns = ({ id }: Caller) => review.authors.some((author) => author.id === id);
  return {
    concerns,
    isVisibleTo: async (caller) =>
      review.state !== 'open' &&
      concerns(caller) &&
      (seesPage(caller) || (await hasProposed(dependencies, review, caller))),
    describe: (texts, language) =>
      fillIn(texts[review.state === 'open' ? 'submitted' : review.state], {
        name: toName(review.decided?.by, texts),
        skill: titleOf(dependencies, { ...review, title: review.skill, language }),
      }),
    pathFor: (caller) => (seesPage(caller) ? `/admin/reviews/${review.id}` : '/my/skills'),
  };
}

/** Tells who sees a review on its page. */
async function pageTest(
  { readCategories }: Pick<SubjectDependencies, 'readCategories'>,
  review: StoredReview,
): Promise<(caller: Caller) => boolean> {
  const categories = await readCategories(review);
  return (caller) => coversCategories(scopeOf(caller, ['author', 'publish']), categories);
}

function scopeOf({ permissions }: Caller, rights: readonly SkillRight[]): SkillScope {
  return getSkillScope(rightsListed(permissions.adminAccess), rights);
}

/** A comment concerns the authors and the writers of other comments. */
async function comment(
  dependencies: SubjectDependencies,
  id: string,
): Promise<Subject | undefined> {
  const { comments, find } = dependencies.reviews;
  const reviewId = await comments.findReview(id);
  const review = reviewId === undefined ? undefined : await find(reviewId);
  if (!review) {
    return undefined;
  }
  const seesPage = await pageTest(dependencies, review);
  const all = await comments.list(review.id);
  const written = all.find((each) => each.id === id);
  const people = new Set(
    [...review.authors, review.author, ...all.map(({ author }) => author)].map((each) => each.id),
  );
  const concerns = (caller: Caller) =>
    written !== undefined && caller.id !== written.author.id && people.has(caller.id);
  return {
    concerns,
    isVisibleTo: async (caller) =>
      concerns(caller) && (seesPage(caller) || (await hasProposed(dependencies, review, caller))),
    describe: (texts, language) =>
      fillIn(texts.commented, {
        name: toName(written?.author.name, texts),
        skill: titleOf(dependencies, { ...review, title: review.skill, language }),
      }),
    pathFor: (caller) => (seesPage(caller) ? `/admin/reviews/${review.id}` : '/my/skills'),
  };
}

/** Whether a review is the proposal of someone's own skill, which they see among their skills. */
async function hasProposed(
  { personalSkills }: Pick<SubjectDependencies, 'personalSkills'>,
  { id }: StoredReview,
  caller: Caller,
): Promise<boolean> {
  const owner = getSkillOwner(caller);
  return (
    owner !== undefined && (await personalSkills.list(owner)).some(({ review }) => review === id)
  );
}

/** The current title in a language, or the one that was stored. */
function titleOf(
  { skills, contents }: Pick<SubjectDependencies, 'skills' | 'contents'>,
  { skill, title, language }: { skill: string; title: string; language: string },
): string {
  const stored = skills.snapshot.skills.get(skill);
  const current = stored && shownTexts(stored, getSkillSettings(skill, contents().skills));
  return withoutHiddenCharacters(current ? localizeSkill(current, language).title : title);
}

function toName(name: string | undefined, texts: ServerTexts['mail']): string {
  return name ? withoutHiddenCharacters(name) : texts.someone;
}
