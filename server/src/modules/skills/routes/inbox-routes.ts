import { withoutHiddenCharacters } from '@knowhow/shared/names';
import { problem } from '@knowhow/shared/problem';
import {
  type CommentNotice,
  type InboxItem,
  inboxApi,
  maxEvidenceLength,
  type ReturnedNotice,
} from '@knowhow/shared/skills/inbox';
import { localizeSkill } from '@knowhow/shared/skills/skill-translations';
import type { Router } from 'express';
import { rejectGuest } from '../../../platform/http/reject-guest.ts';
import { route } from '../../../platform/http/route.ts';
import {
  filterReviews,
  grantAccess,
  listGrantableGroups,
  type SkillAdmin,
} from '../../admin/index.ts';
import type { ConversationStore } from '../../conversations/index.ts';
import { type Caller, getSkillOwner, requireRight, type UserAdmin } from '../../identity/index.ts';
import { closedItem, type Inbox, type StoredItem } from '../inbox/inbox.ts';
import { toReader } from '../inbox/to-reader.ts';
import type { PersonalSkills } from '../personal/personal-skills.ts';
import { getSkillSettings, shownTexts } from '../skill-settings.ts';
import { getSkillView, type SkillDependencies } from './skill-routes.ts';

interface Dependencies extends SkillAdmin, Pick<SkillDependencies, 'ranking' | 'skills'> {
  conversations: Pick<ConversationStore, 'findExchange'>;
  userAdmin: UserAdmin;
  inbox: Inbox;
  personalSkills: Pick<PersonalSkills, 'list' | 'listReturned'>;
}

/** Suggestions about skills and requests for access: sending, reading, closing and granting. */
export function inboxRoutes(router: Router, dependencies: Dependencies): void {
  const { contents, conversations, inbox, owners, userAdmin } = dependencies;
  const readerFor = (caller: Caller) => toReader(dependencies, caller);

  route(router, inboxApi.suggest, async ({ caller, params, body, language }) => {
    rejectGuest(caller, 'A guest gets no replies.');
    const exchange = await conversations.findExchange(caller.id, params.id);
    if (!exchange) {
      throw problem('not-found', 'There is no such answer.');
    }
    const view = getSkillView(dependencies, caller, undefined);
    const skill = view.skills.find(({ id }) => id === body.skill);
    if (!skill || skill.isPersonal || !exchange.skills.includes(skill.id)) {
      throw problem('not-found', `The answer used no skill "${body.skill}" that is available.`);
    }
    const { question, answer } = exchange;
    await inbox.add({
      skill: await owners.identify(skill.id),
      kind: 'suggestion',
      user: caller.id,
      title: withoutHiddenCharacters(localizeSkill(skill, language).title),
      comment: body.comment,
      ...(body.withExchange
        ? { evidence: { question: toEvidence(question), answer: toEvidence(answer) } }
        : {}),
    });
  });

  route(router, inboxApi.summary, async ({ caller }) => {
    if (caller.anonymous) {
      return { isShown: false, open: 0 };
    }
    const { hasAny, open } = await inbox.summarize(readerFor(caller));
    const comments = await inbox.comments.listUnread(caller.id);
    const { drafts, proposals } = await findReturned(dependencies, caller);
    const returned = new Set([...drafts, ...proposals].map(({ id }) => id));
    const notices = comments.length + returned.size;
    return { isShown: hasAny || notices > 0, open: open + notices };
  });

  route(router, inboxApi.list, async ({ caller, query, language }) => {
    rejectGuest(caller, 'A guest has no inbox.');
    const page = await inbox.list(readerFor(caller), query);
    const describe = itemDescriber(dependencies, {
      caller,
      language,
      isSender: query.state === 'sent',
    });
    return { ...page, items: page.items.map(describe) };
  });

  route(router, inboxApi.comments, async ({ caller }) => {
    rejectGuest(caller, 'A guest has no inbox.');
    return {
      items: await describeComments(dependencies, caller),
      returned: await describeReturned(dependencies, caller),
    };
  });

  route(router, inboxApi.readComments, async ({ caller, body }) => {
    rejectGuest(caller, 'A guest has no inbox.');
    await inbox.comments.markRead(caller.id, body.ids);
  });

  route(router, inboxApi.close, async ({ caller, params, body, language }) => {
    await inbox.decide(params.id, async () => {
      const item = await findOpen(dependencies, caller, params.id);
      await inbox.close(item.id, { state: 'done', by: caller, reply: body.reply });
    });
    return describeAgain(dependencies, { caller, language }, params.id);
  });

  route(router, inboxApi.groups, async ({ caller, params }) => {
    const { user } = await findRequest(dependencies, caller, params.id);
    return { items: await listGrantableGroups(contents(), userAdmin, user) };
  });

  route(router, inboxApi.grant, async ({ caller, params, body, language }) => {
    // A request that another person declines meanwhile is not granted.
    await inbox.decide(params.id, async () => {
      const { id, skill, user } = await findRequest(dependencies, caller, params.id);
      const by = { id: caller.id, name: caller.name };
      await grantAccess(dependencies, by, { skill, user, group: body.group });
      await inbox.close(id, { state: 'granted', by, reply: body.reply });
    });
    return describeAgain(dependencies, { caller, language }, params.id);
  });
}

/** Unread comments on reviews. Texts are for those who see the review now; others learn that there was one. */
async function describeComments(
  dependencies: Dependencies,
  caller: Caller,
): Promise<CommentNotice[]> {
  const unread = await dependencies.inbox.comments.listUnread(caller.id);
  const seen = new Set(await filterReviews(dependencies, caller, unread));
  const owner = getSkillOwner(caller);
  const own = owner === undefined ? [] : await dependencies.personalSkills.list(owner);
  const proposed = new Map(own.map(({ name, review }) => [review, mySkillPath(name)]));
  return unread.map((notice) => {
    const { id, review, skill, from, text, createdAt } = notice;
    const path = seen.has(notice) ? `/admin/reviews/${review}` : proposed.get(review);
    return {
      ...{ id, createdAt, skill: withoutHiddenCharacters(skill) },
      from: withoutHiddenCharacters(from),
      ...(path === undefined ? {} : { text, path }),
    };
  });
}

/** Reviews of the caller's drafts and proposals that were returned, newest first. */
async function describeReturned(
  dependencies: Dependencies,
  caller: Caller,
): Promise<ReturnedNotice[]> {
  const { drafts, proposals } = await findReturned(dependencies, caller);
  const seen = new Set(await filterReviews(dependencies, caller, drafts));
  const ofDrafts = drafts.map((review) => ({
    ...{ id: review.id, createdAt: review.at, skill: withoutHiddenCharacters(review.skill) },
    from: withoutHiddenCharacters(review.by),
    ...(seen.has(review)
      ? { text: review.comment, path: `/admin/skills/${encodeURIComponent(review.skill)}` }
      : {}),
  }));
  const ofProposals = proposals.map(({ id, name, by, comment, at }) => ({
    ...{ id, createdAt: at, skill: name, text: comment },
    ...{ from: withoutHiddenCharacters(by), path: mySkillPath(name) },
  }));
  const all = new Map([...ofDrafts, ...ofProposals].map((notice) => [notice.id, notice]));
  return [...all.values()].sort((one, other) => (one.createdAt < other.createdAt ? 1 : -1));
}

/** How long a returned proposal is listed, in ms: it has no draft to discard. */
const maxProposalAge = 30 * 24 * 60 * 60 * 1000;

/** Reviews of the caller's drafts, and of personal skills that were not changed since. One may be both. */
async function findReturned({ personalSkills, reviews }: Dependencies, caller: Caller) {
  const owner = getSkillOwner(caller);
  const since = new Date(Date.now() - maxProposalAge).toISOString();
  return {
    drafts: await reviews.listReturned({ author: caller.id }),
    proposals: owner === undefined ? [] : await personalSkills.listReturned(owner, since),
  };
}

function mySkillPath(name: string): string {
  return `/my/skills/${encodeURIComponent(name)}`;
}

/** An open item that the caller has received. Throws `not-found` and `conflict`. */
async function findOpen(
  dependencies: Dependencies,
  caller: Caller,
  id: string,
): Promise<StoredItem> {
  rejectGuest(caller, 'A guest has no inbox.');
  const item = await dependencies.inbox.find(toReader(dependencies, caller), id);
  if (item.state !== 'open') {
    throw closedItem();
  }
  return item;
}

/** An open request that the caller may grant. Owners without the right can only reply. */
async function findRequest(dependencies: Dependencies, caller: Caller, id: string) {
  const { user, ...item } = await findOpen(dependencies, caller, id);
  requireRight(caller, 'skills');
  if (item.kind !== 'access' || user === undefined) {
    throw problem('conflict', 'This item is no request of an existing account. Close it instead.');
  }
  return { ...item, user };
}

async function describeAgain(
  dependencies: Dependencies,
  { caller, language }: Pick<Receiver, 'caller' | 'language'>,
  id: string,
): Promise<InboxItem> {
  const item = await dependencies.inbox.find(toReader(dependencies, caller), id);
  return itemDescriber(dependencies, { caller, language, isSender: false })(item);
}

interface Receiver {
  caller: Caller;
  language: string;
  /** Whether the items are the reader's own: they then see nothing new about the skill. */
  isSender: boolean;
}

function itemDescriber(
  dependencies: Dependencies,
  { caller, language, isSender }: Receiver,
): (item: StoredItem) => InboxItem {
  const { contents, skills } = dependencies;
  const visible = new Set(getSkillView(dependencies, caller, undefined).skills.map(({ id }) => id));
  const { readsAll, authored } = toReader(dependencies, caller);
  return ({ skill, title, user, closed, ...item }) => {
    const stored = skills.snapshot.skills.get(skill);
    const current = stored && shownTexts(stored, getSkillSettings(skill, contents().skills));
    const mayEdit = !isSender && stored !== undefined && (readsAll || authored.has(skill));
    const hasPage = visible.has(skill) || mayEdit;
    return {
      ...item,
      from: item.from && withoutHiddenCharacters(item.from),
      skill: {
        title: withoutHiddenCharacters(
          isSender || !current ? title : localizeSkill(current, language).title,
        ),
        ...(hasPage ? { name: skill } : {}),
      },
      ...(mayEdit ? { mayEdit } : {}),
      ...(closed ? { closed } : {}),
      mayGrant:
        readsAll &&
        !isSender &&
        item.kind === 'access' &&
        item.state === 'open' &&
        item.from !== undefined &&
        stored !== undefined,
    };
  };
}

/** A bounded copy of a message, as plain text. */
function toEvidence(text: string): string {
  return withoutHiddenCharacters(text.slice(0, maxEvidenceLength));
}
