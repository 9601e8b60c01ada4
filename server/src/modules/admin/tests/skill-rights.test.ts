import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { authApi } from '@knowhow/shared/access/auth';
import { rightsFor } from '@knowhow/shared/access/rights-for';
import { api } from '@knowhow/shared/api';
import { adminApi } from '@knowhow/shared/config/admin';
import type { AnyEndpoint } from '@knowhow/shared/endpoint';
import { adminSkillsApi } from '@knowhow/shared/skills/admin-skills';
import { skillDraftsApi } from '@knowhow/shared/skills/skill-drafts';
import { skillReviewsApi } from '@knowhow/shared/skills/skill-reviews';
import { expect, onTestFinished, test } from 'vitest';
import { parseAnswer, parseProblem } from '../../../testing/parse-answer.ts';
import { signInNew } from '../../../testing/rights-chat.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { startTestServer, type Visitor } from '../../../testing/start-test-server.ts';

const text = (name: string, category?: string, steps = `Steps of ${name}.`) =>
  `---\nname: ${name}\ndescription: Does ${name}.\n${category ? `category: ${category}\n` : ''}---\n\n${steps}\n`;
const group = (id: string, permissions: object) => ({ [id]: { id, name: id, permissions } });
const files = (publishing: object) => ({
  'apps/chat.json': { id: 'chat', name: 'Chat', skills: ['*'] },
  'config/skills.json': { settings: { publishing } },
  'config/groups.json': {
    groups: {
      ...group('admins', { skills: ['*'], adminAccess: true }),
      ...group('hr-authors', { skillRights: { author: ['HR'] } }),
      ...group('hr-publishers', { skillRights: { publish: [' hr '] } }),
      ...group('hr-guards', { skillRights: { block: ['hr'] } }),
      ...group('all-authors', { skillRights: { author: ['*'] } }),
      ...group('law-publishers', { skillRights: { publish: ['Law'] } }),
      ...group('group-admins', { adminAccess: ['groups'], skillRights: { author: ['HR'] } }),
    },
  },
  'skills/leave/SKILL.md': text('leave', 'HR'),
  'skills/contract/SKILL.md': text('contract', 'Law'),
  'skills/plain/SKILL.md': text('plain'),
});

async function start(publishing: object = { mode: 'review' }) {
  const server = await startTestServer({ files: files(publishing) });
  onTestFinished(server.close);
  const admin = await signInAdmin(server);
  const person = async (username: string, groups: string[]) =>
    (await signInNew(server, admin, { username, groups })).visitor;
  return {
    server,
    admin,
    ann: await person('ann', ['hr-authors']),
    pia: await person('pia', ['hr-publishers']),
    gus: await person('gus', ['hr-guards']),
    lou: await person('lou', ['law-publishers']),
  };
}

const listed = async (visitor: Visitor, query = '') =>
  parseAnswer(adminSkillsApi.list.response, visitor(`/api/admin/skills${query}`));
const names = async (visitor: Visitor) =>
  (await listed(visitor)).items.map(({ name }) => name).sort();
const write = (visitor: Visitor, name: string, body: string) =>
  visitor(`/api/skill-drafts/${name}/files/SKILL.md`, { method: 'PUT', body });
/** Sends a whole draft, as new skills are begun. */
const begin = (visitor: Visitor, name: string, body: string) =>
  visitor(`/api/skill-drafts/${name}`, {
    method: 'PUT',
    json: { formatVersion: 2, skill: { name, slug: name, content: body, files: [] } },
  });
const submit = (visitor: Visitor, name: string) =>
  parseAnswer(
    skillDraftsApi.submit.response,
    visitor(`/api/skill-drafts/${name}/submit`, { json: { message: 'Please.' } }),
  );
const decide = async (visitor: Visitor, id: string, action: string) =>
  (await visitor(`/api/skill-reviews/${id}/${action}`, { json: { comment: 'Read.' } })).status;
const reviews = async (visitor: Visitor, query = '') =>
  parseAnswer(skillReviewsApi.list.response, visitor(`/api/skill-reviews${query}`));
const block = async (visitor: Visitor, name: string) =>
  (
    await visitor(`/api/admin/skills/${name}/block`, {
      method: 'PUT',
      json: { reason: 'Wrong.', tellUsers: false },
    })
  ).status;

test('an author of a category sees its skills only, with counts of these', async () => {
  const { ann, admin } = await start();
  const page = await listed(ann);
  expect(page.items.map(({ name }) => name)).toEqual(['leave']);
  expect(page).toMatchObject({
    total: 1,
    facets: { statuses: { on: 1, off: 0 }, categories: [{ value: 'HR', count: 1 }] },
  });
  const facets = await parseAnswer(
    adminSkillsApi.facets.response,
    ann('/api/admin/skill-facets?field=category'),
  );
  expect(facets.items).toEqual([{ value: 'HR', count: 1 }]);
  expect((await ann('/api/admin/skills/leave')).status).toBe(200);
  for (const path of ['contract', 'plain', 'unknown', 'contract/files/SKILL.md']) {
    expect([path, (await ann(`/api/admin/skills/${path}`)).status]).toEqual([path, 404]);
  }
  expect(await names(admin)).toEqual(expect.arrayContaining(['contract', 'leave', 'plain']));
});

test('authors write, publishers of the category decide, and others see nothing of it', async () => {
  const { ann, pia, gus, lou } = await start();
  expect((await write(ann, 'leave', text('leave', 'HR', 'New steps.'))).status).toBe(200);
  const { id } = await submit(ann, 'leave');
  for (const [visitor, total, status] of [
    [ann, 1, 403],
    [gus, undefined, 403],
    [lou, 0, 404],
  ] as const) {
    if (total !== undefined) {
      expect((await reviews(visitor)).total).toBe(total);
    }
    expect(await decide(visitor, id, 'approve')).toBe(status);
  }
  const detail = await parseAnswer(skillReviewsApi.get.response, pia(`/api/skill-reviews/${id}`));
  expect(detail.may).toMatchObject({ approve: true, return: true });
  expect(await decide(pia, id, 'approve')).toBe(200);
  expect(await (await ann('/api/admin/skills/leave/files/SKILL.md')).text()).toContain(
    'New steps.',
  );
  expect((await reviews(pia, '?state=closed')).items).toMatchObject([{ skill: 'leave' }]);
  expect((await reviews(lou, '?state=closed')).total).toBe(0);
  expect((await lou(`/api/skill-reviews/${id}/comments`)).status).toBe(404);
});

test('an author has no part in the skills of other categories, and moves none there', async () => {
  const { ann } = await start();
  expect((await write(ann, 'contract', text('contract', 'HR'))).status).toBe(404);
  expect((await begin(ann, 'contract', text('contract', 'HR'))).status).toBe(404);
  for (const [category, where] of [
    ['Law', 'the category "Law"'],
    [undefined, 'no category'],
  ] as const) {
    const refused = await parseProblem(write(ann, 'leave', text('leave', category)));
    expect(refused).toMatchObject({ code: 'forbidden', detail: expect.stringContaining(where) });
  }
  expect((await ann('/api/skill-drafts/leave')).status).toBe(404);
});

test('new skills of the category begin as drafts, which its authors and publishers share', async () => {
  const { ann, pia, lou, server, admin } = await start();
  const ben = (await signInNew(server, admin, { username: 'ben', groups: ['hr-authors'] })).visitor;
  expect((await begin(ann, 'pay', text('pay', 'Law'))).status).toBe(403);
  expect(await (await begin(ann, 'pay', text('pay', 'HR'))).json()).toMatchObject({
    category: 'HR',
  });
  await begin(admin, 'trial', text('trial', 'Law'));
  const drafts = async (visitor: Visitor) =>
    (await parseAnswer(skillDraftsApi.list.response, visitor('/api/skill-drafts'))).items.map(
      ({ skill }) => skill,
    );
  expect([await drafts(ann), await drafts(ben), await drafts(admin)]).toEqual([
    ['pay'],
    ['pay'],
    ['pay', 'trial'],
  ]);
  expect((await ben('/api/skill-drafts/trial')).status).toBe(404);
  expect((await begin(ben, 'trial', text('trial', 'HR'))).status).toBe(404);
  const { id } = await submit(ben, 'pay');
  expect([(await reviews(pia)).total, (await reviews(lou)).total]).toEqual([1, 0]);
  expect(await decide(lou, id, 'return')).toBe(404);
  expect(await decide(pia, id, 'approve')).toBe(200);
  expect(await names(ann)).toEqual(['leave', 'pay']);
});

test('a publisher cannot take a skill from a category that is not theirs', async () => {
  const { admin, pia, lou } = await start();
  await write(admin, 'contract', text('contract', 'HR'));
  const { id } = await submit(admin, 'contract');
  // It is in Law, and would be in HR.
  expect(await decide(pia, id, 'approve')).toBe(404);
  expect(await decide(lou, id, 'approve')).toBe(403);
  expect(await decide(admin, id, 'approve')).toBe(200);
  expect(await names(pia)).toEqual(['contract', 'leave']);
});

test('a new skill with the name of a deleted one does not show its versions to others', async () => {
  const { admin, ann } = await start({ mode: 'direct' });
  expect((await admin('/api/admin/skills/contract', { method: 'DELETE' })).ok).toBe(true);
  expect((await begin(ann, 'contract', text('contract', 'HR'))).status).toBe(404);
  expect((await ann('/api/skill-versions/contract')).status).toBe(404);
  expect((await ann('/api/skill-versions/contract/1/files/SKILL.md')).status).toBe(404);
  expect((await admin('/api/skill-versions/contract')).status).toBe(200);
});

test('the right to block covers the category only, and neither drafts nor decisions', async () => {
  const { gus, ann } = await start();
  expect([
    await block(gus, 'leave'),
    await block(gus, 'contract'),
    await block(ann, 'leave'),
  ]).toEqual([200, 404, 403]);
  expect((await write(gus, 'leave', text('leave', 'HR', 'Mine.'))).status).toBe(403);
  expect((await gus('/api/skill-reviews')).status).toBe(403);
  const ended = await gus('/api/admin/skills/leave/block', { method: 'DELETE' });
  expect(ended.status).toBe(200);
});

test('without reviews required, an author of a category still needs a publisher', async () => {
  const { ann, pia } = await start({ mode: 'direct' });
  await write(ann, 'leave', text('leave', 'HR', 'New steps.'));
  const { id } = await submit(ann, 'leave');
  expect(await decide(ann, id, 'approve')).toBe(403);
  expect(await decide(pia, id, 'approve')).toBe(200);
});

test('all other endpoints of administration refuse them', async () => {
  const { ann, pia, gus } = await start();
  const all = Object.values(api).flatMap((area) => Object.values(area) as AnyEndpoint[]);
  const others = all.filter(
    (endpoint) =>
      endpoint.access === 'admin' &&
      rightsFor(endpoint).every((each) => !each.startsWith('skill-')),
  );
  expect(others.length).toBeGreaterThan(100);
  for (const { method, path } of others) {
    const asked = path.replace(/[:*](\w+)/g, 'leave');
    for (const visitor of [ann, pia, gus]) {
      const answer = await visitor(asked, { method, ...(method === 'GET' ? {} : { json: {} }) });
      await answer.text();
      expect([method, path, answer.status]).toEqual([method, path, 403]);
    }
  }
});

test('an administrator of groups cannot grant rights on skills that they do not have', async () => {
  const { server, admin, ann } = await start();
  const gil = (await signInNew(server, admin, { username: 'gil', groups: ['group-admins'] }))
    .visitor;
  const put = async (id: string, skillRights: object) =>
    (
      await gil(`/api/admin/groups/${id}`, {
        method: 'PUT',
        json: { name: id, permissions: { skillRights } },
      })
    ).status;
  expect(await put('new', { author: ['hr'] })).toBe(200);
  for (const rights of [{ author: ['Law'] }, { author: ['*'] }, { publish: ['HR'] }]) {
    expect([rights, await put('new', rights)]).toEqual([rights, 403]);
  }
  expect(await put('law-publishers', {})).toBe(403);
  const me = await parseAnswer(authApi.me.response, ann('/api/auth/me'));
  expect(me).toMatchObject({ isAdmin: true, adminRights: ['skill-author:hr'] });
});

test('an author of all categories sees all skills, and publishes none', async () => {
  const { server, admin } = await start();
  const all = (await signInNew(server, admin, { username: 'al', groups: ['all-authors'] })).visitor;
  expect(await names(all)).toEqual(expect.arrayContaining(['contract', 'leave', 'plain']));
  await write(all, 'plain', text('plain', undefined, 'New.'));
  const { id } = await submit(all, 'plain');
  expect(await decide(all, id, 'approve')).toBe(403);
  expect((await all('/api/admin/skills/plain', { method: 'DELETE' })).status).toBe(403);
});

test('an empty category is refused with its place', async () => {
  const { admin } = await start();
  const json = { name: 'x', permissions: { skillRights: { author: ['HR', ' '] } } };
  const refused = await parseProblem(admin('/api/admin/groups/x', { method: 'PUT', json }));
  expect(refused.issues?.[0]?.path).toBe('permissions.skillRights.author.1');
});

test('a category with odd characters gives rights on this category only', async () => {
  const odd = ['a: b', '__proto__', 'x\ny', 'Ｈｒ', 'h\u200br'];
  const { server, admin } = await start();
  const json = { name: 'odd', permissions: { skillRights: { author: odd } } };
  expect((await admin('/api/admin/groups/odd', { method: 'PUT', json })).status).toBe(200);
  const ole = (await signInNew(server, admin, { username: 'ole', groups: ['odd'] })).visitor;
  const me = await parseAnswer(authApi.me.response, ole('/api/auth/me'));
  expect(me.adminRights?.toSorted()).toEqual(
    ['a: b', '__proto__', 'hr', 'x\ny'].map((key) => `skill-author:${key}`).toSorted(),
  );
  // Full width and characters that cannot be seen do not count.
  expect(await names(ole)).toEqual(['leave']);
});

test('an author learns nothing of other categories by a review of their own', async () => {
  const { admin, ann, server } = await start();
  await write(ann, 'leave', text('leave', 'HR', 'New steps.'));
  const { id } = await submit(ann, 'leave');
  expect((await admin('/api/skill-drafts/leave', { method: 'DELETE' })).status).toBe(409);
  const moved = text('leave', 'Law', 'Secret steps.');
  expect(await decide(admin, id, 'return')).toBe(200);
  await write(admin, 'leave', moved);
  const { id: other } = await submit(admin, 'leave');
  expect(await decide(admin, other, 'approve')).toBe(200);
  for (const path of [id, `${id}/comments`]) {
    expect((await ann(`/api/skill-reviews/${path}`)).status).toBe(404);
  }
  expect((await reviews(ann, '?state=closed')).total).toBe(0);
  expect((await admin(`/api/skill-reviews/${id}`)).status).toBe(200);
  // A user who proposes a skill of their own with the name of one that they do not see.
  const json = {
    name: 'own',
    permissions: { personalSkills: 'propose', skillRights: { author: ['HR'] } },
  };
  expect((await admin('/api/admin/groups/own', { method: 'PUT', json })).status).toBe(200);
  const pam = (await signInNew(server, admin, { username: 'pam', groups: ['own'] })).visitor;
  const mine = { name: 'contract', description: 'Mine.', instructions: 'Mine.' };
  expect((await pam('/api/my/skills', { json: mine })).ok).toBe(true);
  const proposed = await pam('/api/my/skills/contract/propose', { json: { message: 'Take it.' } });
  expect(proposed.ok).toBe(true);
  expect((await reviews(pam)).total).toBe(0);
  const { items } = await reviews(admin);
  expect((await pam(`/api/skill-reviews/${items[0]?.id}`)).status).toBe(404);
  expect((await pam('/api/my/skills/contract/withdraw', { method: 'POST' })).status).toBe(200);
});

test('a new draft that an administrator moves to another category is no longer its author’s', async () => {
  const { admin, ann } = await start();
  await begin(ann, 'pay', text('pay', 'HR'));
  expect((await write(admin, 'pay', text('pay', 'Law', 'Secret.'))).status).toBe(200);
  expect((await ann('/api/skill-drafts/pay')).status).toBe(404);
  expect((await ann('/api/skill-drafts/pay', { method: 'DELETE' })).status).toBe(404);
});

test('names of other categories do not appear in the policy, nor places of other skills', async () => {
  const byCategory = { HR: { mode: 'review' }, Law: { mode: 'review' } };
  const { admin, ann } = await start({ mode: 'direct', byCategory });
  const policies = async (visitor: Visitor) =>
    Object.keys(
      (await parseAnswer(adminApi.status.response, visitor('/api/admin/status'))).publishing
        .byCategory,
    );
  expect([await policies(admin), await policies(ann)]).toEqual([['HR', 'Law'], ['HR']]);
  const check = await ann('/api/admin/skills/check-name?name=contract');
  expect(await check.text()).not.toContain('local:');
});

test('hidden skills in read-only folders do not appear if they are in other categories', async () => {
  const extra = await mkdtemp(join(tmpdir(), 'extra-skills-'));
  onTestFinished(() => rm(extra, { recursive: true }));
  await mkdir(join(extra, 'leave'));
  await writeFile(join(extra, 'leave/SKILL.md'), text('leave', 'Law', 'Secret.'));
  const server = await startTestServer({
    files: files({ mode: 'review' }),
    environment: { SKILLS_EXTRA_DIRS: extra },
  });
  onTestFinished(server.close);
  const admin = await signInAdmin(server);
  const ann = (await signInNew(server, admin, { username: 'ann', groups: ['hr-authors'] })).visitor;
  const hidden = async (visitor: Visitor) =>
    (await parseAnswer(adminSkillsApi.get.response, visitor('/api/admin/skills/leave'))).hides;
  expect(await hidden(admin)).toHaveLength(1);
  expect(await hidden(ann)).toEqual([]);
  expect((await listed(ann)).items.map(({ category }) => category)).toEqual(['HR']);
});

test.each([
  ['full-width letters', '\uff4flaw-plan', 'olaw-plan'],
  ['a decomposed letter', 'o\u0308law-plan', '\u00f6law-plan'],
])('a name with %s does not lead to the drafts of another category', async (_, written, name) => {
  const { admin, ann } = await start();
  expect((await begin(admin, name, text(name, 'Law'))).status).toBe(200);
  const path = encodeURIComponent(written);
  expect(await parseProblem(begin(ann, path, text(name, 'HR')))).toMatchObject({
    status: 400,
    issues: [{ path: 'name', code: 'name-invalid' }],
  });
  expect((await ann(`/api/skill-drafts/${encodeURIComponent(name)}`)).status).toBe(404);
  expect((await begin(ann, encodeURIComponent(name), text(name, 'HR'))).status).toBe(404);
});
