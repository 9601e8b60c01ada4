import { randomUUID } from 'node:crypto';
import { adminSkillsApi } from '@knowhow/shared/skills/admin-skills';
import { inboxApi, maxCommentLength, maxOpenItems } from '@knowhow/shared/skills/inbox';
import { libraryApi } from '@knowhow/shared/skills/library';
import { expect, test } from 'vitest';
import { exportBackup, importBackup } from '../../../testing/backup-calls.ts';
import { parseAnswer } from '../../../testing/parse-answer.ts';
import { rightsFiles, type SignedIn, signInNew } from '../../../testing/rights-chat.ts';
import { scriptedChat } from '../../../testing/scripted-chat.ts';
import { says } from '../../../testing/scripted-model.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import type { Visitor } from '../../../testing/start-test-server.ts';
import { startOf, takeTurn } from '../../../testing/take-turn.ts';

const chat = scriptedChat(rightsFiles);
const skill = 'release-notes';
const everyone = { apps: ['*'], models: ['*'], skills: ['*'] };

/** Ann and Cem are in `staff`; Ben is in `interns` only, and may not use `meeting-notes`. */
async function start() {
  await chat.start(() => says('Version 2 is\u202e faster.'));
  const admin = await signInAdmin(chat.server);
  const signIn = (username: string, groups: string[]) =>
    signInNew(chat.server, admin, { username, groups });
  return {
    admin,
    ann: await signIn('ann', ['staff']),
    ben: await signIn('ben', ['interns']),
    cem: await signIn('cem', ['staff']),
  };
}

const setOwner = (admin: Visitor, owner: unknown, name = skill) =>
  admin(`/api/admin/skills/${name}/owner`, { method: 'PUT', json: { owner } });

async function answerWith({ visitor }: SignedIn, skills: string[], conversationId?: string) {
  const turn = await takeTurn(visitor, {
    message: 'What is new?',
    skills,
    ...(conversationId === undefined ? {} : { conversationId }),
  });
  return { messageId: startOf(turn).messageId, conversationId: turn.conversationId };
}

const suggest = ({ visitor }: SignedIn, messageId: string, json: object = {}) =>
  visitor(`/api/messages/${messageId}/suggestion`, {
    json: { skill, comment: 'Name the date.', ...json },
  });
const list = (visitor: Visitor, state = 'open', rest = '') =>
  parseAnswer(inboxApi.list.response, visitor(`/api/inbox?state=${state}${rest}`));
const summary = async (visitor: Visitor) => (await visitor('/api/inbox/summary')).json();
const close = (visitor: Visitor, id: string, json: object = {}) =>
  visitor(`/api/inbox/${id}/close`, { json });

async function only(visitor: Visitor, state?: string) {
  const { items } = await list(visitor, state);
  const [item] = items;
  if (!item || items.length > 1) {
    throw new Error(`There are ${items.length} items instead of one.`);
  }
  return item;
}

test('a suggestion with the exchange reaches the owner, and the reply its sender', async () => {
  const { admin, ann, ben, cem } = await start();
  await setOwner(admin, { kind: 'user', id: ann.id });
  expect(await summary(ben.visitor)).toEqual({ isShown: false, open: 0 });
  const { messageId } = await answerWith(ben, [skill]);
  const sent = await suggest(ben, messageId, {
    comment: ' Name\u200b the date. ',
    withExchange: true,
  });
  expect(sent.status).toBe(204);

  expect(await summary(ann.visitor)).toEqual({ isShown: true, open: 1 });
  expect(await summary(ben.visitor)).toEqual({ isShown: true, open: 0 });
  expect(await summary(cem.visitor)).toEqual({ isShown: false, open: 0 });
  const item = await only(ann.visitor);
  expect(item).toMatchObject({
    kind: 'suggestion',
    skill: { title: 'release-notes', name: skill },
    from: 'ben',
    comment: 'Name the date.',
    evidence: { question: 'What is new?', answer: 'Version 2 is faster.' },
    mayGrant: false,
  });
  expect((await close(cem.visitor, item.id)).status).toBe(404);
  expect((await close(ben.visitor, item.id)).status).toBe(404);
  expect((await close(ann.visitor, item.id, { reply: 'It does now.' })).status).toBe(200);
  const again = await close(ann.visitor, item.id);
  expect(again.status).toBe(409);
  expect((await list(ann.visitor)).items).toEqual([]);
  const closed = { by: 'ann', reply: 'It does now.' };
  expect(await only(ann.visitor, 'done')).toMatchObject({ state: 'done', closed });
  expect(await only(ben.visitor, 'sent')).toMatchObject({ state: 'done', closed });
});

test('a suggestion has no exchange unless its sender includes it', async () => {
  const { admin, ann } = await start();
  const { messageId } = await answerWith(ann, [skill]);
  await suggest(ann, messageId);
  expect(await only(admin)).toMatchObject({ from: 'ann', comment: 'Name the date.' });
  expect((await only(admin)).evidence).toBeUndefined();
});

test('members of the group that owns a skill, and administrators of skills, have the item', async () => {
  const { admin, ann, ben, cem } = await start();
  await setOwner(admin, { kind: 'group', id: 'staff' });
  const { messageId } = await answerWith(ben, [skill]);
  await suggest(ben, messageId);
  for (const { visitor } of [ann, cem, { visitor: admin }]) {
    expect((await only(visitor)).from).toBe('ben');
  }
  expect((await list(ben.visitor)).items).toEqual([]);
  await setOwner(admin, { kind: 'group', id: 'outside' });
  expect((await list(ann.visitor)).items).toEqual([]);
});

test('a skill that is active since an earlier message can be chosen, one that ended before cannot', async () => {
  const { ann } = await start();
  const { conversationId } = await answerWith(ann, [skill, 'meeting-notes']);
  await ann.visitor(`/api/conversations/${conversationId}/skills/meeting-notes`, {
    method: 'DELETE',
  });
  const { messageId } = await answerWith(ann, [], conversationId);
  expect((await suggest(ann, messageId)).status).toBe(204);
  expect((await suggest(ann, messageId, { skill: 'meeting-notes' })).status).toBe(404);
});

test('an answer of someone else, an unused and an unknown skill are refused alike', async () => {
  const { ann, ben } = await start();
  const { messageId } = await answerWith(ann, [skill]);
  expect((await suggest(ben, messageId)).status).toBe(404);
  expect((await suggest(ann, randomUUID())).status).toBe(404);
  const refused = async (name: string) => {
    const answer = await suggest(ann, messageId, { skill: name });
    const { title } = (await answer.json()) as { title: string };
    return [answer.status, title.replace(name, '…')];
  };
  expect(await refused('meeting-notes')).toEqual(await refused('none'));
  expect((await refused('none'))[0]).toBe(404);
});

test.each([
  { comment: '' },
  { comment: ' \u200b ' },
  { comment: 'x'.repeat(maxCommentLength + 1) },
  { withExchange: 'yes' },
  { other: 1 },
])('a wrong suggestion is a clear problem: %j', async (json) => {
  const { ann } = await start();
  const { messageId } = await answerWith(ann, [skill]);
  const answer = await suggest(ann, messageId, json);
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({ code: 'invalid-request' });
});

test('a user has at most a hundred open suggestions', async () => {
  const { admin, ann } = await start();
  const { messageId } = await answerWith(ann, [skill]);
  for (let sent = 0; sent < maxOpenItems; sent += 1) {
    expect((await suggest(ann, messageId, { comment: `Number ${sent}` })).status).toBe(204);
  }
  expect((await suggest(ann, messageId)).status).toBe(409);
  const first = await list(admin, 'open', '&limit=60');
  const rest = await list(admin, 'open', `&limit=60&cursor=${first.nextCursor}`);
  expect([first.total, first.items.length, rest.items.length]).toEqual([100, 60, 40]);
  expect(new Set([...first.items, ...rest.items].map(({ id }) => id)).size).toBe(100);
  expect(rest.nextCursor).toBeUndefined();
  await close(admin, first.items[0]?.id ?? '');
  expect((await suggest(ann, messageId)).status).toBe(204);
});

test('a temporary chat allows suggestions, and stores the exchange only if it is included', async () => {
  const { admin, ann } = await start();
  const conversationId = `00000000-0000-8000-a000-${randomUUID().slice(24)}`;
  const { messageId } = await answerWith(ann, [skill], conversationId);
  await suggest(ann, messageId);
  expect((await only(admin)).evidence).toBeUndefined();
});

test('the items of a deleted account have no name and no evidence', async () => {
  const { admin, ann } = await start();
  const { messageId } = await answerWith(ann, [skill]);
  await suggest(ann, messageId, { withExchange: true });
  await admin(`/api/admin/users/${ann.id}?conversations=keep`, { method: 'DELETE' });
  const { from, evidence, comment } = await only(admin);
  expect([from, evidence, comment]).toEqual([undefined, undefined, 'Name the date.']);
});

test('a backup with data contains the inbox', async () => {
  const { admin, ann } = await start();
  const { messageId } = await answerWith(ann, [skill]);
  await suggest(ann, messageId, { withExchange: true });
  const zip = await exportBackup(admin, '?data=true');
  await close(admin, (await only(admin)).id);
  await importBackup(admin, zip);
  const again = await signInAdmin(chat.server);
  expect(await only(again)).toMatchObject({ from: 'ann', evidence: { question: 'What is new?' } });
});

const requestable = (visitor: Visitor) =>
  parseAnswer(libraryApi.requestable.response, visitor('/api/requestable-skills'));
const request = ({ visitor }: SignedIn, name: string) =>
  visitor(`/api/library/${name}/request`, { json: { message: 'I write minutes.' } });
const makeDiscoverable = (admin: Visitor, name = 'meeting-notes', json: object = {}) =>
  admin(`/api/admin/skills/${name}`, { method: 'PUT', json: { discoverable: true, ...json } });

test('a discoverable skill can be requested once, and an administrator grants it to a group', async () => {
  const { admin, ann, ben } = await start();
  await signInNew(chat.server, admin, { username: 'dora', groups: ['interns'] });
  expect((await requestable(ben.visitor)).items).toEqual([]);
  await makeDiscoverable(admin);
  await setOwner(admin, { kind: 'user', id: ann.id }, 'meeting-notes');
  expect((await requestable(ann.visitor)).items).toEqual([]);
  const [offered, ...others] = (await requestable(ben.visitor)).items;
  expect(others).toEqual([]);
  expect(offered).toEqual({
    name: 'meeting-notes',
    displayName: 'meeting-notes',
    description: expect.stringMatching(/\w/),
    owner: 'ann',
    isRequested: false,
  });
  expect((await request(ben, 'meeting-notes')).status).toBe(204);
  expect((await request(ben, 'meeting-notes')).status).toBe(204);
  expect((await requestable(ben.visitor)).items).toMatchObject([{ isRequested: true }]);

  const item = await only(ann.visitor);
  expect(item).toMatchObject({ kind: 'access', from: 'ben', comment: 'I write minutes.' });
  expect(item.mayGrant).toBe(false);
  const grant = (visitor: Visitor, group: string) =>
    visitor(`/api/inbox/${item.id}/grant`, { json: { group, reply: 'Welcome.' } });
  expect((await grant(ann.visitor, 'interns')).status).toBe(403);
  expect((await ann.visitor(`/api/inbox/${item.id}/groups`)).status).toBe(403);
  expect((await grant(ben.visitor, 'interns')).status).toBe(404);

  expect((await only(admin)).mayGrant).toBe(true);
  const groups = await parseAnswer(inboxApi.groups.response, admin(`/api/inbox/${item.id}/groups`));
  expect(groups.items).toContainEqual({
    id: 'interns',
    name: 'Interns',
    people: 2,
    hasGuests: false,
  });
  expect(groups.items.map(({ id }) => id)).not.toContain('staff');
  expect((await grant(admin, 'staff')).status).toBe(400);
  expect((await grant(admin, 'interns')).status).toBe(200);
  expect((await grant(admin, 'interns')).status).toBe(409);
  expect((await requestable(ben.visitor)).items).toEqual([]);
  expect((await ben.visitor('/api/library/meeting-notes')).status).toBe(200);
  expect(await only(ben.visitor, 'sent')).toMatchObject({
    state: 'granted',
    skill: { name: 'meeting-notes' },
    closed: { reply: 'Welcome.' },
  });
  const { grantedByGroups } = await parseAnswer(
    adminSkillsApi.get.response,
    admin('/api/admin/skills/meeting-notes'),
  );
  expect(grantedByGroups).toEqual(['staff', 'interns']);
});

test('a request that one administrator declines while another grants it is decided once', async () => {
  const { admin, ben } = await start();
  await makeDiscoverable(admin);
  expect((await request(ben, 'meeting-notes')).status).toBe(204);
  const { id } = await only(admin);
  const [granted, ...declined] = await Promise.all([
    admin(`/api/inbox/${id}/grant`, { json: { group: 'interns' } }),
    ...Array.from({ length: 5 }, () => close(admin, id)),
  ]);
  const statuses = [granted, ...declined].map(({ status }) => status).sort();
  expect(statuses).toEqual([200, 409, 409, 409, 409, 409]);
  const isGranted = granted.status === 200;
  expect((await only(admin, 'done')).state).toBe(isGranted ? 'granted' : 'done');
  expect((await ben.visitor('/api/library/meeting-notes')).status).toBe(isGranted ? 200 : 404);
});

test('a skill that is hidden, off, blocked or granted cannot be told from an unknown one', async () => {
  const { admin, ben } = await start();
  const refusal = async (name: string) => {
    const answer = await request(ben, name);
    const text = await answer.text();
    return [answer.status, text.replaceAll(name, '…')];
  };
  const unknown = await refusal('none');
  expect(unknown[0]).toBe(404);
  expect(await refusal('meeting-notes')).toEqual(unknown);
  await makeDiscoverable(admin, skill);
  expect(await refusal(skill)).toEqual(unknown);
  await makeDiscoverable(admin, 'meeting-notes', { enabled: false });
  expect(await refusal('meeting-notes')).toEqual(unknown);
  await makeDiscoverable(admin, 'meeting-notes', { enabled: true });
  expect((await requestable(ben.visitor)).total).toBe(1);
  await admin('/api/admin/skills/meeting-notes/block', {
    method: 'PUT',
    json: { reason: 'Wrong.' },
  });
  expect(await refusal('meeting-notes')).toEqual(unknown);
  expect((await requestable(ben.visitor)).total).toBe(0);
});

test('guests have no inbox and request nothing', async () => {
  const { admin } = await start();
  await makeDiscoverable(admin);
  const guest = chat.server.visitor();
  expect(await summary(guest)).toEqual({ isShown: false, open: 0 });
  expect((await guest('/api/inbox')).status).toBe(403);
  expect((await requestable(guest)).items).toEqual([]);
  expect((await guest('/api/library/meeting-notes/request', { json: {} })).status).toBe(403);
});

test.each(['state=other', 'cursor=-1', 'cursor=0x10', 'limit=0'])(
  'a wrong query of the inbox is refused: %s',
  async (query) => {
    const { ann } = await start();
    expect((await ann.visitor(`/api/inbox?${query}`)).status).toBe(400);
  },
);

test('authors of a category receive suggestions for its skills without an owner, and no requests', async () => {
  const hr = {
    id: 'hr',
    name: 'HR',
    permissions: { ...everyone, skillRights: { author: ['HR'] } },
  };
  const law = {
    id: 'law',
    name: 'Law',
    permissions: { ...everyone, skillRights: { author: ['Law'] } },
  };
  await chat.start(() => says('Done.'), {
    'config/groups.json': {
      groups: { admins: { id: 'admins', name: 'A', permissions: { adminAccess: true } }, hr, law },
    },
    'skills/release-notes/SKILL.md': `---\nname: ${skill}\ndescription: Writes them.\ncategory: HR\n---\n\nWrite.\n`,
  });
  const admin = await signInAdmin(chat.server);
  const signIn = (username: string, groups: string[]) =>
    signInNew(chat.server, admin, { username, groups });
  const [ann, lou] = [await signIn('ann', ['hr']), await signIn('lou', ['law'])];
  const { messageId } = await answerWith(lou, [skill]);
  expect((await suggest(lou, messageId)).status).toBe(204);
  const item = await only(ann.visitor);
  expect(item).toMatchObject({
    from: 'lou',
    skill: { name: skill },
    mayEdit: true,
    mayGrant: false,
  });
  expect(await summary(ann.visitor)).toEqual({ isShown: true, open: 1 });
  expect((await list(lou.visitor)).items).toEqual([]);
  expect((await close(lou.visitor, item.id)).status).toBe(404);
  await setOwner(admin, { kind: 'user', id: lou.id });
  expect((await list(ann.visitor)).items).toEqual([]);
  expect((await close(ann.visitor, item.id)).status).toBe(404);
  // An owner whose account is gone counts as none.
  await admin(`/api/admin/users/${lou.id}?conversations=keep`, { method: 'DELETE' });
  expect(await only(ann.visitor)).toMatchObject({ comment: 'Name the date.' });
  expect((await close(ann.visitor, item.id, { reply: 'It does.' })).status).toBe(200);
});
