import { adminSkillsApi } from '@knowhow/shared/skills/admin-skills';
import { skillDraftsApi } from '@knowhow/shared/skills/skill-drafts';
import { skillReviewsApi } from '@knowhow/shared/skills/skill-reviews';
import { expect, onTestFinished, test } from 'vitest';
import { createTextZip } from '../../../testing/foreign-skills.ts';
import { parseAnswer, parseProblem } from '../../../testing/parse-answer.ts';
import { signInNew } from '../../../testing/rights-chat.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { skillFile } from '../../../testing/skill-folder.ts';
import { startTestServer } from '../../../testing/start-test-server.ts';

async function start() {
  const server = await startTestServer({
    files: {
      'config/groups.json': {
        groups: {
          admins: { id: 'admins', name: 'Admins', permissions: { adminAccess: true } },
          'app-admins': { id: 'app-admins', name: 'A', permissions: { adminAccess: ['apps'] } },
        },
      },
      'config/skills.json': { settings: { publishing: { mode: 'review' } } },
      'skills/notes/SKILL.md': skillFile('notes', 'Takes notes.'),
    },
  });
  onTestFinished(server.close);
  const admin = await signInAdmin(server);
  const list = (query = '') =>
    parseAnswer(skillDraftsApi.list.response, admin(`/api/skill-drafts${query}`));
  const save = (name: string) => {
    const body = createTextZip({ [`${name}/SKILL.md`]: skillFile(name, 'Is new.') });
    return admin(`/api/skill-drafts/${name}`, { method: 'PUT', body });
  };
  const submit = (name: string) =>
    parseAnswer(
      skillDraftsApi.submit.response,
      admin(`/api/skill-drafts/${name}/submit`, { json: { message: 'New.' } }),
    );
  return { admin, server, list, save, submit };
}

test('drafts of skills that were never published are listed until they are published', async () => {
  const { admin, list, save, submit } = await start();
  expect(await list()).toEqual({ items: [], total: 0 });
  await save('letters');
  await save('minutes');
  // The list of skills contains this one.
  await admin('/api/skill-drafts/notes/files/a.md', { method: 'PUT', body: 'A.' });
  const { items } = await list();
  expect(items.map(({ skill, authors, isInReview }) => [skill, authors, isInReview])).toEqual([
    ['letters', ['Admin'], false],
    ['minutes', ['Admin'], false],
  ]);
  expect((await list('?limit=1')).nextCursor).toBeDefined();
  const { id } = await submit('letters');
  expect((await list()).items[0]).toMatchObject({ skill: 'letters', isInReview: true });
  expect((await admin(`/api/skill-reviews/${id}/approve`, { json: {} })).status).toBe(200);
  expect((await list()).items.map(({ skill }) => skill)).toEqual(['minutes']);
  expect((await parseProblem(admin('/api/skill-drafts?limit=x'))).code).toBe('invalid-request');
});

test('a review of a blocked skill says why it is blocked', async () => {
  const { admin, submit } = await start();
  await admin('/api/skill-drafts/notes/files/a.md', { method: 'PUT', body: 'A.' });
  const { id } = await submit('notes');
  const get = () => parseAnswer(skillReviewsApi.get.response, admin(`/api/skill-reviews/${id}`));
  expect((await get()).blockReason).toBeUndefined();
  const json = { reason: 'It leaks.', tellUsers: false };
  await admin('/api/admin/skills/notes/block', { method: 'PUT', json });
  expect(await get()).toMatchObject({ blockReason: 'It leaks.', may: { approve: true } });
});

test('the list of skills leads to drafts and open reviews, for those who may see them', async () => {
  const { admin, server, submit } = await start();
  const notes = async (visitor = admin) => {
    const { items } = await parseAnswer(
      adminSkillsApi.list.response,
      visitor('/api/admin/skills?query=notes'),
    );
    return items.find(({ name }) => name === 'notes');
  };
  expect(await notes()).not.toHaveProperty('hasDraft');
  await admin('/api/skill-drafts/notes/files/a.md', { method: 'PUT', body: 'A.' });
  expect(await notes()).toMatchObject({ hasDraft: true });
  expect(await notes()).not.toHaveProperty('review');
  const { id } = await submit('notes');
  expect(await notes()).toMatchObject({ hasDraft: true, review: id });
  const ben = await signInNew(server, admin, { username: 'ben', groups: ['app-admins'] });
  const seen = await notes(ben.visitor);
  expect(seen).toMatchObject({ name: 'notes' });
  expect(seen).not.toHaveProperty('hasDraft');
  expect(seen).not.toHaveProperty('review');
});
