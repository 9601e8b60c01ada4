import { adminApi } from '@knowhow/shared/config/admin';
import { archiveReportSchema } from '@knowhow/shared/skills/skill-archives';
import { skillBinApi } from '@knowhow/shared/skills/skill-bin';
import { skillDraftsApi } from '@knowhow/shared/skills/skill-drafts';
import { skillReviewsApi } from '@knowhow/shared/skills/skill-reviews';
import { skillVersionsApi } from '@knowhow/shared/skills/skill-versions';
import { expect, onTestFinished, test } from 'vitest';
import { createTextZip } from '../../../testing/foreign-skills.ts';
import { parseAnswer, parseProblem } from '../../../testing/parse-answer.ts';
import { signInNew } from '../../../testing/rights-chat.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { startTestServer, type Visitor } from '../../../testing/start-test-server.ts';

const text = (name: string, category?: string) =>
  `---\nname: ${name}\ndescription: Does ${name}.\n${category ? `category: ${category}\n` : ''}---\n\nDo it.\n`;
const group = (id: string, adminAccess: string[]) => ({
  [id]: { id, name: id, permissions: { adminAccess } },
});
/** Only HR needs a review, by another person. */
const strictForHr = { byCategory: { HR: { mode: 'review', fourEyes: true } } };

async function start(publishing: object = strictForHr) {
  const server = await startTestServer({
    files: {
      'config/skills.json': { settings: { publishing } },
      'config/groups.json': {
        groups: {
          admins: {
            id: 'admins',
            name: 'Admins',
            permissions: { skills: ['*'], adminAccess: true },
          },
          ...group('authors', ['skills']),
          ...group('editors', ['skills', 'publish']),
          ...group('reviewers', ['publish']),
        },
      },
      'skills/leave/SKILL.md': text('leave', 'HR'),
      'skills/notes/SKILL.md': text('notes', 'Office'),
      'skills/plain/SKILL.md': text('plain'),
    },
  });
  onTestFinished(server.close);
  const admin = await signInAdmin(server);
  const person = async (username: string, groups: string[]) =>
    (await signInNew(server, admin, { username, groups })).visitor;
  return {
    admin,
    author: await person('ann', ['authors']),
    editor: await person('eva', ['editors']),
    reviewer: await person('rita', ['reviewers']),
  };
}

const save = (visitor: Visitor, name: string, body: string, path = 'SKILL.md') =>
  visitor(`/api/admin/skills/${name}/files/${path}`, { method: 'PUT', body });
const restore = (visitor: Visitor, name: string, number: number) =>
  visitor(`/api/skill-versions/${name}/${number}/restore`, { method: 'POST' });
const importZip = (visitor: Visitor, files: Record<string, string>) =>
  visitor('/api/admin/skills/import?overwrite=true', {
    method: 'POST',
    body: createTextZip(files),
  });
const submit = async (visitor: Visitor, name: string, body: string) => {
  const path = `/api/skill-drafts/${name}/files/SKILL.md`;
  expect((await visitor(path, { method: 'PUT', body })).status).toBe(200);
  const json = { message: 'Changes it.' };
  return parseAnswer(
    skillDraftsApi.submit.response,
    visitor(`/api/skill-drafts/${name}/submit`, { json }),
  );
};
const getReview = (visitor: Visitor, id: string) =>
  parseAnswer(skillReviewsApi.get.response, visitor(`/api/skill-reviews/${id}`));
const approve = (visitor: Visitor, id: string) =>
  visitor(`/api/skill-reviews/${id}/approve`, { json: {} });
const categoryOf = async (visitor: Visitor, name: string) => {
  const answer = await visitor(`/api/admin/skills/${name}`);
  return ((await answer.json()) as { category?: string }).category;
};
async function expectReview(answer: Promise<Response>) {
  const refused = await parseProblem(answer);
  expect(refused.code).toBe('review-required');
  expect(refused.detail).toContain('"HR"');
}

test('an import says before which skills need a review, and leaves the others installable', async () => {
  const { author } = await start();
  const files = {
    'leave/SKILL.md': text('leave', 'HR'),
    'moved/SKILL.md': text('moved', ' ｈｒ\u00ad'),
    'other/SKILL.md': text('other', 'Office'),
  };
  const report = await parseAnswer(
    archiveReportSchema,
    author('/api/admin/skills/validate', { method: 'POST', body: createTextZip(files) }),
  );
  expect(report.skills.map(({ name, needsReview }) => [name, needsReview])).toEqual([
    ['leave', true],
    ['moved', true],
    ['other', undefined],
  ]);
});

test('a skill created again in another category does not free the versions of a reviewed one', async () => {
  const { admin, author } = await start({ byCategory: { HR: { mode: 'review' } } });
  const drop = async (visitor: Visitor) =>
    (await visitor('/api/admin/skills/leave', { method: 'DELETE' })).status;
  expect(await drop(admin)).toBe(200);
  expect((await importZip(author, { 'leave/SKILL.md': text('leave') })).status).toBe(200);
  expect(await drop(author)).toBe(200);
  const bin = await parseAnswer(skillBinApi.list.response, author('/api/admin/skills/-/bin'));
  const number = bin.items[0]?.number;
  const purge = (visitor: Visitor) =>
    parseAnswer(
      skillBinApi.remove.response,
      visitor('/api/admin/skills/-/bin/delete', { json: { skills: [{ name: 'leave', number }] } }),
    );
  expect((await purge(author)).failed).toMatchObject([{ name: 'leave' }]);
  expect((await purge(admin)).done).toEqual(['leave']);
});

test('a skill of a category without reviews is restored from the bin by its author', async () => {
  const { author } = await start({ mode: 'review', byCategory: { HR: { mode: 'direct' } } });
  const inBin = async (what: string, json: object) =>
    (await author(`/api/admin/skills/-/bin/${what}`, { json })).json();
  await author('/api/admin/skills/leave', { method: 'DELETE' });
  expect(await inBin('restore', { names: ['leave'] })).toEqual({ done: ['leave'], failed: [] });
  expect(await categoryOf(author, 'leave')).toBe('HR');
});

test('a save of a skill in the category needs a review, others publish at once', async () => {
  const { author } = await start();
  await expectReview(save(author, 'leave', 'A.', 'a.md'));
  expect((await save(author, 'notes', 'A.', 'a.md')).status).toBe(200);
  expect((await save(author, 'plain', 'A.', 'a.md')).status).toBe(200);
});

test('a move out of the category, or into it, needs the review of the stricter policy', async () => {
  const { admin, author, editor } = await start();
  await expectReview(save(author, 'leave', text('leave', 'Office')));
  await expectReview(save(editor, 'leave', text('leave')));
  await expectReview(save(author, 'notes', text('notes', 'HR')));
  // Case and spaces make no other category.
  await expectReview(save(author, 'plain', text('plain', '" hr "')));
  const fields = (name: string, category: string) =>
    author(`/api/admin/skills/${name}/fields`, { method: 'PUT', json: { category } });
  await expectReview(fields('leave', 'Office'));
  await expectReview(fields('plain', 'hr'));
  expect(await categoryOf(admin, 'leave')).toBe('HR');
  expect(await categoryOf(admin, 'plain')).toBeUndefined();
});

test('a new skill, a copy and an import into the category need a review', async () => {
  const { admin, author } = await start();
  const json = { name: 'pay', description: 'Pays.', body: 'Pay.', metadata: { category: 'hr' } };
  await expectReview(author('/api/admin/skills', { json }));
  await expectReview(author('/api/admin/skills/leave/duplicate', { json: { name: 'copy' } }));
  const into = { 'ok/SKILL.md': text('ok'), 'pay/SKILL.md': text('pay', 'HR') };
  await expectReview(importZip(author, into));
  await expectReview(importZip(author, { 'leave/SKILL.md': text('leave', 'Office') }));
  expect((await admin('/api/admin/skills/ok')).status).toBe(404);
  expect((await importZip(author, { 'ok/SKILL.md': text('ok', 'Office') })).status).toBe(200);
});

test('a deletion and the restoration of an older version are judged by the category, too', async () => {
  const { admin, author, editor } = await start();
  expect((await save(author, 'notes', text('notes'))).status).toBe(200);
  // By all rights, and through a review: version 3 is in the category.
  const { id } = await submit(author, 'notes', text('notes', 'HR'));
  expect((await approve(admin, id)).status).toBe(200);
  await expectReview(restore(author, 'notes', 1));
  await expectReview(
    author('/api/skill-versions/notes/1/preview', { json: { groups: ['authors'] } }),
  );
  await expectReview(author('/api/admin/skills/notes', { method: 'DELETE' }));
  expect((await editor('/api/admin/skills/notes', { method: 'DELETE' })).status).toBe(200);
  // Neither does a deletion evade it: the restored skill gets its assignments back.
  await expectReview(restore(author, 'notes', 1));
  expect((await restore(editor, 'notes', 1)).status).toBe(200);
});

test('the deletion of many reports those whose category forbids it', async () => {
  const { author } = await start();
  const checksum = async (name: string) =>
    ((await (await author(`/api/admin/skills/${name}`)).json()) as { checksum: string }).checksum;
  const skills = await Promise.all(
    ['leave', 'notes'].map(async (name) => ({ name, checksum: await checksum(name) })),
  );
  const json = { action: 'delete', skills };
  const answer = await author('/api/admin/skills/bulk', { json });
  expect(await answer.json()).toMatchObject({
    done: ['notes'],
    failed: [{ name: 'leave', message: expect.stringContaining('"HR"') as string }],
  });
});

test('a review says which policy applies, and its author does not approve it', async () => {
  const { admin, author, editor, reviewer } = await start();
  const { id } = await submit(editor, 'plain', text('plain', 'HR'));
  const policy = { mode: 'review', fourEyes: true, categories: ['HR'] };
  const draft = parseAnswer(skillDraftsApi.get.response, editor('/api/skill-drafts/plain'));
  expect((await draft).policy).toEqual(policy);
  expect(await getReview(editor, id)).toMatchObject({
    policy,
    needsOther: true,
    may: { approve: false },
  });
  expect((await parseProblem(approve(editor, id))).code).toBe('forbidden');
  // Without the right to publish, not even a second author decides.
  expect((await parseProblem(approve(author, id))).code).toBe('forbidden');
  expect((await approve(reviewer, id)).status).toBe(200);
  const audit = await parseAnswer(adminApi.audit.response, admin('/api/admin/audit?limit=1'));
  expect(audit.items[0]).toMatchObject({
    action: 'review-approved',
    after: { policyOf: ['HR'], category: { from: '', to: 'HR' } },
  });
  expect(await categoryOf(admin, 'plain')).toBe('HR');
});

test('a review of another category follows the general policy', async () => {
  const { author } = await start();
  const { id } = await submit(author, 'notes', `${text('notes', 'Office')}More.`);
  expect((await getReview(author, id)).policy).toEqual({
    mode: 'direct',
    fourEyes: false,
    categories: [],
  });
  expect((await approve(author, id)).status).toBe(200);
});

test('a category may be less strict than the general policy, but a move to it is not', async () => {
  const { author } = await start({ mode: 'review', byCategory: { office: { mode: 'direct' } } });
  expect((await save(author, 'notes', 'A.', 'a.md')).status).toBe(200);
  const codeOf = async (answer: Promise<Response>) => (await parseProblem(answer)).code;
  expect(await codeOf(save(author, 'plain', text('plain', 'Office')))).toBe('review-required');
  expect(await codeOf(save(author, 'notes', text('notes')))).toBe('review-required');
});

test('checks of the category are required for it only, and for a move to it', async () => {
  const key = `sk-proj-${'a1B2c3D4'.repeat(4)}`;
  const { author, editor } = await start({
    byCategory: { HR: { checks: { secrets: 'required' } } },
  });
  const failed = async (answer: Promise<Response>) =>
    expect((await parseProblem(answer)).code).toBe('check-failed');
  await failed(save(author, 'leave', `key: ${key}`, 'a.md'));
  expect((await save(author, 'notes', `key: ${key}`, 'a.md')).status).toBe(200);
  // Earlier mistakes count as soon as the skill gets there.
  await failed(save(author, 'notes', text('notes', 'HR')));
  const reason = `?override=${encodeURIComponent('It is an example.')}`;
  expect((await save(editor, 'notes', text('notes', 'HR'), `SKILL.md${reason}`)).status).toBe(200);
  const { items } = await parseAnswer(
    skillVersionsApi.list.response,
    author('/api/skill-versions/notes'),
  );
  expect(items[0]?.override?.checks).toEqual(['secrets']);
  // And out of it, too.
  await failed(save(author, 'leave', `${text('leave')}\n${key}\n`));
});

test('categories of skills that do not exist are allowed, others are refused with their place', async () => {
  const { admin } = await start();
  const put = (byCategory: unknown) =>
    admin('/api/admin/settings/skills', { method: 'PUT', json: { publishing: { byCategory } } });
  expect((await put({ Nothing: { mode: 'review' } })).status).toBe(200);
  const refusals: [unknown, string][] = [
    [{ HR: { mode: 'sometimes' } }, 'publishing.byCategory.HR.mode'],
    [{ HR: { checks: { secrets: 'x' } } }, 'publishing.byCategory.HR.checks.secrets'],
    [{ HR: {}, ' hr': {} }, 'publishing.byCategory. hr'],
    [{ ' ': {} }, 'publishing.byCategory. '],
    [['HR'], 'publishing.byCategory'],
    [
      Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`c${at}`, {}])),
      'publishing.byCategory',
    ],
  ];
  for (const [byCategory, path] of refusals) {
    const { issues } = await parseProblem(put(byCategory));
    expect(issues?.[0]?.path).toBe(path);
  }
});
