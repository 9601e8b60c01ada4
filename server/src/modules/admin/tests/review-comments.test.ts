import { adminUsersApi } from '@knowhow/shared/access/admin-users';
import { inboxApi } from '@knowhow/shared/skills/inbox';
import { mySkillsApi } from '@knowhow/shared/skills/personal-skills';
import { skillDraftsApi } from '@knowhow/shared/skills/skill-drafts';
import { reviewCommentsSchema, skillReviewsApi } from '@knowhow/shared/skills/skill-reviews';
import { expect, onTestFinished, test } from 'vitest';
import { exportBackup, importBackup } from '../../../testing/backup-calls.ts';
import { parseAnswer, parseProblem } from '../../../testing/parse-answer.ts';
import { signInAgain, signInNew } from '../../../testing/rights-chat.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { skillFile } from '../../../testing/skill-folder.ts';
import { startTestServer, type Visitor } from '../../../testing/start-test-server.ts';

const group = (id: string, permissions: object) => ({ [id]: { id, name: id, permissions } });
const files = {
  'config/groups.json': {
    groups: {
      ...group('admins', { skills: ['*'], adminAccess: true }),
      ...group('writers', { personalSkills: 'propose' }),
      ...group('reviewers', { adminAccess: ['publish'] }),
    },
  },
};

/** A proposal of Ann's for the skill "invoices", of which Rita is a reviewer. */
async function start() {
  const server = await startTestServer({ files });
  onTestFinished(server.close);
  const admin = await signInAdmin(server);
  const person = async (username: string, groups: string[]) =>
    (await signInNew(server, admin, { username, groups })).visitor;
  const ann = await person('ann', ['writers']);
  const skill = { name: 'invoices', description: 'Bills clients.', instructions: 'Bill them.' };
  await parseAnswer(mySkillsApi.create.response, ann('/api/my/skills', { json: skill }));
  await ann('/api/my/skills/invoices/propose', { json: { message: 'For everyone.' } });
  const { items } = await listReviews(admin);
  return {
    server,
    admin,
    ann,
    ben: await person('ben', ['writers']),
    rita: await person('rita', ['reviewers']),
    review: `/api/skill-reviews/${items[0]?.id}`,
  };
}

const listReviews = (visitor: Visitor, state = 'open') =>
  parseAnswer(skillReviewsApi.list.response, visitor(`/api/skill-reviews?state=${state}`));
const own = '/api/my/skills/invoices/comments';
const read = async (visitor: Visitor, path: string) =>
  (await parseAnswer(reviewCommentsSchema, visitor(path))).items;
const write = async (visitor: Visitor, path: string, text: string) =>
  (await parseAnswer(reviewCommentsSchema, visitor(path, { json: { text } }))).items;

test('a reviewer asks about a proposal, and its author answers', async () => {
  const { ann, rita, review } = await start();
  expect(await read(ann, own)).toEqual([]);
  await write(rita, `${review}/comments`, ' Which clients?\u200b ');
  expect(await write(ann, own, 'All of them.')).toMatchObject([
    { author: 'rita', text: 'Which clients?', isOwn: false },
    { author: 'ann', text: 'All of them.', isOwn: true },
  ]);
  expect(await read(rita, `${review}/comments`)).toMatchObject([{ isOwn: true }, { isOwn: false }]);
  expect((await listReviews(rita)).items).toMatchObject([{ skill: 'invoices', comments: 2 }]);
});

test('they comment after the decision, too', async () => {
  const { ann, rita, review } = await start();
  await rita(`${review}/return`, { json: { comment: 'Too short.' } });
  await write(ann, own, 'How long should it be?');
  expect(await write(rita, `${review}/comments`, 'One page.')).toHaveLength(2);
  expect((await listReviews(rita, 'closed')).items).toMatchObject([{ comments: 2 }]);
});

const inbox = async (visitor: Visitor) =>
  (await parseAnswer(inboxApi.comments.response, visitor('/api/inbox/comments'))).items;
const summary = async (visitor: Visitor) => (await visitor('/api/inbox/summary')).json();

test('comments are in the inbox of those who take part, until they have read them', async () => {
  const { admin, ann, ben, rita, review } = await start();
  expect(await inbox(ann)).toEqual([]);
  await write(rita, `${review}/comments`, 'Which clients?');
  const [question] = await inbox(ann);
  expect(question).toMatchObject({
    ...{ skill: 'invoices', from: 'rita', text: 'Which clients?', path: '/my/skills/invoices' },
  });
  expect(await summary(ann)).toEqual({ isShown: true, open: 1 });
  for (const other of [rita, ben, admin]) {
    expect(await inbox(other)).toEqual([]);
  }
  const [answer] = await write(ann, own, 'All of them.').then(() => inbox(rita));
  expect(answer).toMatchObject({
    text: 'All of them.',
    path: review.replace('/api/skill-', '/admin/'),
  });
  const markRead = (visitor: Visitor, ids: (string | undefined)[]) =>
    visitor('/api/inbox/comments/read', { json: { ids } });
  expect((await markRead(ben, [question?.id])).status).toBe(204);
  expect(await inbox(ann)).toHaveLength(1);
  expect((await markRead(ann, [question?.id, answer?.id])).status).toBe(204);
  expect((await markRead(ann, [question?.id])).status).toBe(204);
  expect(await inbox(ann)).toEqual([]);
  expect(await inbox(rita)).toHaveLength(1);
  expect(await summary(ann)).toMatchObject({ open: 0 });
  expect((await markRead(ann, ['none'])).status).toBe(400);
});

test('a comment that is deleted leaves the inbox, and one on a review that is hidden now has no text', async () => {
  const { admin, ann, rita, review } = await start();
  await write(rita, `${review}/comments`, 'Which clients?');
  await write(ann, own, 'All of them.');
  expect(await inbox(rita)).toMatchObject([{ text: 'All of them.' }]);
  const users = await parseAnswer(adminUsersApi.list.response, admin('/api/admin/users'));
  const { id } = users.items.find(({ username }) => username === 'rita') ?? {};
  expect(
    (await admin(`/api/admin/users/${id}`, { method: 'PUT', json: { groups: [] } })).status,
  ).toBe(200);
  const [hidden] = await inbox(rita);
  expect(hidden).toMatchObject({ skill: 'invoices', from: 'ann' });
  expect([hidden?.text, hidden?.path]).toEqual([undefined, undefined]);
  await ann(`${own}/${hidden?.id}`, { method: 'DELETE' });
  expect(await inbox(rita)).toEqual([]);
});

test('a returned draft is in the inbox of its author, until it is submitted again', async () => {
  const { admin, rita } = await start();
  const returned = async (visitor: Visitor) =>
    (await parseAnswer(inboxApi.comments.response, visitor('/api/inbox/comments'))).returned;
  const draft = '/api/skill-drafts/minutes';
  const body = skillFile('minutes', 'Writes minutes.');
  expect((await admin(draft, { method: 'PUT', body })).status).toBe(200);
  const submit = (message: string) =>
    parseAnswer(skillDraftsApi.submit.response, admin(`${draft}/submit`, { json: { message } }));
  const { id } = await submit('New.');
  expect(await returned(admin)).toEqual([]);
  const decision = { json: { comment: 'Say why.' } };
  expect((await rita(`/api/skill-reviews/${id}/return`, decision)).status).toBe(200);
  expect(await returned(admin)).toMatchObject([
    { skill: 'minutes', from: 'rita', text: 'Say why.', path: '/admin/skills/minutes' },
  ]);
  expect(await summary(admin)).toMatchObject({ isShown: true, open: 1 });
  expect(await returned(rita)).toEqual([]);
  const described = await parseAnswer(skillDraftsApi.get.response, admin(draft));
  expect(described.returned).toMatchObject({ by: 'rita', comment: 'Say why.' });
  await submit('Says why.');
  expect(await returned(admin)).toEqual([]);
});

test('only authors delete their comments', async () => {
  const { ann, rita, review } = await start();
  const [comment] = await write(rita, `${review}/comments`, 'Which clients?');
  const remove = (visitor: Visitor, path: string) =>
    visitor(`${path}/${comment?.id}`, { method: 'DELETE' });
  expect((await parseProblem(remove(ann, own))).code).toBe('not-found');
  expect((await remove(rita, `${review}/comments`)).status).toBe(200);
  expect(await read(ann, own)).toEqual([]);
});

test('others can neither read nor write them', async () => {
  const { ben, review } = await start();
  expect((await parseProblem(ben(`${review}/comments`))).status).toBe(403);
  expect((await parseProblem(ben(`${review}/comments`, { json: { text: 'I.' } }))).status).toBe(
    403,
  );
  expect((await parseProblem(ben(own))).status).toBe(404);
  expect((await parseProblem(ben(own, { json: { text: 'I.' } }))).status).toBe(404);
});

test('a comment needs words, and a review has at most 200 comments', async () => {
  const { rita, review } = await start();
  const send = (text: string) => parseProblem(rita(`${review}/comments`, { json: { text } }));
  expect((await send(' \u200b ')).code).toBe('invalid-request');
  expect((await send('a'.repeat(1001))).code).toBe('invalid-request');
  for (let count = 0; count < 200; count += 1) {
    await rita(`${review}/comments`, { json: { text: `Comment ${count}.` } });
  }
  expect((await send('One more.')).code).toBe('conflict');
  expect(await read(rita, `${review}/comments`)).toHaveLength(200);
});

test('a backup with data contains the comments', async () => {
  const { server, admin, rita, review } = await start();
  const [comment] = await write(rita, `${review}/comments`, 'Which clients?');
  const backup = await exportBackup(admin, '?data=true');
  await rita(`${review}/comments/${comment?.id}`, { method: 'DELETE' });
  await importBackup(admin, backup);
  const again = (await signInAgain(server, 'rita')).visitor;
  expect(await read(again, `${review}/comments`)).toMatchObject([{ text: 'Which clients?' }]);
});
