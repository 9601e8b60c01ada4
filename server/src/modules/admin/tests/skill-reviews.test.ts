import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { adminApi } from '@knowhow/shared/config/admin';
import { adminSkillsApi } from '@knowhow/shared/skills/admin-skills';
import { skillDraftsApi } from '@knowhow/shared/skills/skill-drafts';
import { skillReviewsApi } from '@knowhow/shared/skills/skill-reviews';
import { skillVersionsApi } from '@knowhow/shared/skills/skill-versions';
import { expect, onTestFinished, test } from 'vitest';
import { exportBackup, importBackup } from '../../../testing/backup-calls.ts';
import { parseAnswer, parseProblem } from '../../../testing/parse-answer.ts';
import { signInAgain, signInNew } from '../../../testing/rights-chat.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { skillFile } from '../../../testing/skill-folder.ts';
import { createNodes } from '../../../testing/start-nodes.ts';
import {
  defaultFiles,
  startTestServer,
  type TestServer,
  type Visitor,
} from '../../../testing/start-test-server.ts';
import { onPostgres } from '../../../testing/test-database.ts';

const skill = 'meeting-notes';
const group = (id: string, adminAccess: string[]) => ({
  [id]: { id, name: id, permissions: { adminAccess } },
});
const files = (publishing: object) => ({
  'config/skills.json': { settings: { publishing } },
  'config/groups.json': {
    groups: {
      admins: { id: 'admins', name: 'Admins', permissions: { skills: ['*'], adminAccess: true } },
      ...group('authors', ['skills']),
      ...group('reviewers', ['publish']),
      ...group('editors', ['skills', 'publish']),
      staff: { id: 'staff', name: 'Staff', permissions: { skills: [skill], apps: ['*'] } },
    },
  },
  'skills/meeting-notes/SKILL.md': defaultFiles['skills/meeting-notes/SKILL.md'],
  'skills/meeting-notes/references/format.md': 'One decision per line.',
  'skills/meeting-notes/examples/a.md': 'A.',
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
    author: await person('ann', ['authors']),
    other: await person('ben', ['authors']),
    reviewer: await person('rita', ['reviewers']),
    editor: await person('eva', ['editors']),
  };
}

const draftPath = `/api/skill-drafts/${skill}`;
const getDraft = (visitor: Visitor, name = skill) =>
  parseAnswer(skillDraftsApi.get.response, visitor(`/api/skill-drafts/${name}`));
const write = (
  visitor: Visitor,
  path: string,
  body: string,
  headers: Record<string, string> = {},
) => visitor(`${draftPath}/files/${path}`, { method: 'PUT', body, headers });
const submit = (visitor: Visitor, message = 'Adds a format.', name = skill) =>
  visitor(`/api/skill-drafts/${name}/submit`, { json: { message } });
const submitted = (visitor: Visitor, message?: string, name?: string) =>
  parseAnswer(skillDraftsApi.submit.response, submit(visitor, message, name));
const decide = (visitor: Visitor, id: string, action: string, json: object = {}) =>
  visitor(`/api/skill-reviews/${id}/${action}`, { json });
const getReview = (visitor: Visitor, id: string) =>
  parseAnswer(skillReviewsApi.get.response, visitor(`/api/skill-reviews/${id}`));
const listReviews = (visitor: Visitor, query = '') =>
  parseAnswer(skillReviewsApi.list.response, visitor(`/api/skill-reviews${query}`));
const versions = async (visitor: Visitor, name = skill) =>
  (await parseAnswer(skillVersionsApi.list.response, visitor(`/api/skill-versions/${name}`))).items;
const publishedText = async (visitor: Visitor, path: string) =>
  (await visitor(`/api/admin/skills/${skill}/files/${path}`)).text();
const codeOf = async (answer: ReturnType<Visitor>) => (await parseProblem(answer)).code;

test('a draft is published as it was submitted, with author and reviewer', async () => {
  const { admin, author, reviewer } = await start();
  expect((await write(author, 'references/format.md', 'Two per line.')).status).toBe(200);
  const draft = await getDraft(author);
  expect(draft).toMatchObject({ base: 1, published: 1, isOutdated: false, updatedBy: 'ann' });
  expect(await publishedText(admin, 'references/format.md')).toBe('One decision per line.');
  const { id } = await submitted(author);
  expect(await listReviews(reviewer)).toMatchObject({
    total: 1,
    items: [{ id, skill, state: 'open', author: 'ann', message: 'Adds a format.', base: 1 }],
  });
  // The review keeps what was submitted.
  await write(author, 'references/format.md', 'Three per line.');
  expect(await getReview(reviewer, id)).toMatchObject({ isDraftChanged: true, isOutdated: false });
  const approved = await decide(reviewer, id, 'approve', { comment: 'Clear.' });
  expect(approved.status).toBe(200);
  expect(await publishedText(admin, 'references/format.md')).toBe('Two per line.');
  expect((await versions(admin))[0]).toMatchObject({
    number: 2,
    author: 'ann',
    reviewedBy: 'rita',
    message: 'Adds a format.',
    origin: { kind: 'page' },
    isCurrent: true,
  });
  expect(await getDraft(author)).toMatchObject({ base: 2, isOutdated: false });
  const { items } = await listReviews(reviewer, '?state=closed');
  expect(items).toMatchObject([
    { state: 'approved', decided: { by: 'rita', comment: 'Clear.', version: 2 } },
  ]);
  expect(await codeOf(decide(reviewer, id, 'approve'))).toBe('conflict');
  const audit = await parseAnswer(adminApi.audit.response, admin('/api/admin/audit?limit=2'));
  expect(audit.items.map(({ action, target }) => `${action} ${target}`)).toEqual([
    `review-approved ${skill}`,
    `review-submitted ${skill}`,
  ]);
});

test('an approved draft is gone unless it was changed since', async () => {
  const { author, reviewer } = await start();
  await write(author, 'examples/a.md', 'B.');
  const { id } = await submitted(author);
  await decide(reviewer, id, 'approve');
  expect((await author(draftPath)).status).toBe(404);
});

test('a review shows every changed file, scripts first, and whom it affects', async () => {
  const { author, reviewer } = await start();
  await write(author, 'examples/a.md', 'Hidden\u200B text.');
  await write(author, 'scripts/run.py', 'print(1)');
  await author(`${draftPath}/files/references/format.md`, { method: 'DELETE' });
  const { id } = await submitted(author);
  const review = await getReview(reviewer, id);
  expect(review.changes.map(({ path, change }) => [path, change])).toEqual([
    ['scripts/run.py', 'added'],
    ['examples/a.md', 'changed'],
    ['references/format.md', 'removed'],
  ]);
  expect(review).toMatchObject({ code: ['scripts/run.py'], from: 1, published: 1 });
  expect(review.affected.groups.toSorted()).toEqual(['admins', 'staff']);
  expect(review.report?.description).toContain('notes');
  expect(review.may).toEqual({ approve: true, return: true, withdraw: true });
  expect((await getReview(author, id)).may).toEqual({
    approve: false,
    return: false,
    withdraw: true,
  });
});

test('direct changes need the right to publish where reviews are required', async () => {
  const { author, editor, reviewer } = await start();
  const form = { name: 'fresh', description: 'Is new.', body: 'Do it.' };
  const path = `/api/admin/skills/${skill}`;
  const attempts: ((visitor: Visitor) => ReturnType<Visitor>)[] = [
    (visitor) => visitor(`${path}/files/a.md`, { method: 'PUT', body: 'A.' }),
    (visitor) => visitor(`${path}/files/examples/a.md`, { method: 'DELETE' }),
    (visitor) => visitor('/api/admin/skills', { json: form }),
    (visitor) => visitor(`${path}/duplicate`, { json: { name: 'copy' } }),
    (visitor) => visitor(`/api/skill-versions/${skill}/1/restore`, { method: 'POST' }),
    (visitor) => visitor(`/api/skill-versions/${skill}/1/preview`, { json: { groups: ['staff'] } }),
    (visitor) =>
      visitor('/api/admin/skills/import?overwrite=true', {
        method: 'POST',
        body: skillFile(skill, 'Is replaced.'),
      }),
    (visitor) => visitor(`${path}`, { method: 'DELETE' }),
  ];
  for (const attempt of attempts) {
    const refused = await attempt(author);
    expect([refused.status, await codeOf(Promise.resolve(refused))]).toEqual([
      403,
      'review-required',
    ]);
  }
  expect(await versions(author)).toHaveLength(1);
  const bulk = { action: 'delete', skills: [{ name: skill, checksum: 'x' }] };
  const result = await (await author('/api/admin/skills/bulk', { json: bulk })).json();
  expect(result).toMatchObject({ done: [], failed: [{ name: skill }] });
  for (const attempt of attempts) {
    expect((await attempt(editor)).status).toBeLessThan(300);
  }
  expect((await attempts[0]?.(reviewer))?.status).toBe(403);
});

test('with four eyes, no author of a change publishes it', async () => {
  const { author, editor, reviewer } = await start({ mode: 'review', fourEyes: true });
  const direct = editor(`/api/admin/skills/${skill}/files/a.md`, { method: 'PUT', body: 'A.' });
  expect(await codeOf(direct)).toBe('review-required');
  await write(editor, 'examples/a.md', 'B.');
  await write(author, 'examples/a.md', 'C.');
  const { id } = await submitted(author);
  expect(await getReview(editor, id)).toMatchObject({ needsOther: true, may: { approve: false } });
  expect(await codeOf(decide(editor, id, 'approve'))).toBe('forbidden');
  expect((await decide(reviewer, id, 'approve')).status).toBe(200);
});

test('without required reviews, a save publishes, and a draft may still be reviewed', async () => {
  const { author, other } = await start({});
  const path = `/api/admin/skills/${skill}/files/b.md`;
  expect((await author(path, { method: 'PUT', body: 'B.' })).status).toBe(200);
  await write(author, 'examples/a.md', 'B.');
  const { id } = await submitted(author);
  expect((await decide(other, id, 'approve')).status).toBe(200);
});

test('a returned or withdrawn review keeps the draft, and only publishers return one', async () => {
  const { author, other, reviewer } = await start();
  await write(author, 'examples/a.md', 'B.');
  const { id } = await submitted(author);
  expect(await codeOf(submit(author))).toBe('conflict');
  expect(await codeOf(author(draftPath, { method: 'DELETE' }))).toBe('conflict');
  expect(await codeOf(decide(other, id, 'approve'))).toBe('forbidden');
  expect(await codeOf(decide(other, id, 'return', { comment: 'No.' }))).toBe('forbidden');
  expect(await codeOf(decide(other, id, 'withdraw'))).toBe('forbidden');
  expect(await codeOf(decide(reviewer, id, 'return', { comment: ' ' }))).toBe('invalid-request');
  const returned = await decide(reviewer, id, 'return', { comment: 'Say why.' });
  expect(await returned.json()).toMatchObject({
    state: 'returned',
    decided: { by: 'rita', comment: 'Say why.' },
  });
  const again = await submitted(author, 'Says why.');
  expect((await decide(author, again.id, 'withdraw')).status).toBe(200);
  expect((await author(draftPath, { method: 'DELETE' })).status).toBe(200);
  expect((await listReviews(reviewer, '?state=closed')).items.map(({ state }) => state)).toEqual([
    'withdrawn',
    'returned',
  ]);
});

test('two authors of one draft do not overwrite each other', async () => {
  const { author, other } = await start();
  const { checksum } = await parseAnswer(
    adminSkillsApi.get.response,
    author(`/api/admin/skills/${skill}`),
  );
  const first = await write(author, 'examples/a.md', 'B.', { 'if-match': `"${checksum}"` });
  const { etag } = (await first.json()) as { etag: string };
  const late = await write(other, 'examples/a.md', 'C.', { 'if-match': `"${checksum}"` });
  expect(late.status).toBe(412);
  expect((await write(other, 'b.md', 'C.', { 'if-match': `"${etag}"` })).status).toBe(200);
  const stale = { method: 'DELETE', headers: { 'if-match': `"${etag}"` } };
  expect((await author(draftPath, stale)).status).toBe(412);
  expect(await getDraft(author)).toMatchObject({ authors: ['ann', 'ben'], updatedBy: 'ben' });
});

test('a draft has no file that could not be published', async () => {
  const { author, editor } = await start();
  expect(await codeOf(write(author, '.git/config', 'A'))).toBe('invalid-request');
  expect(await codeOf(write(author, 'SKILL.md/a.md', 'A'))).toBe('conflict');
  expect((await write(author, 'new/a.md', 'A')).status).toBe(200);
  const moved = { json: { from: 'new/a.md', to: 'examples/a.md/b.md' } };
  expect(await codeOf(author(`${draftPath}/move`, moved))).toBe('conflict');
  await editor(`/api/admin/skills/${skill}/files/new`, { method: 'PUT', body: 'B' });
  expect(await codeOf(author(`${draftPath}/rebase`, { json: {} }))).toBe('conflict');
  await author(`${draftPath}/move`, { json: { from: 'new/a.md', to: 'other.md' } });
  expect((await author(`${draftPath}/rebase`, { json: {} })).status).toBe(200);
});

test('the same contents are saved and discarded at once', async () => {
  const { author, other } = await start();
  const saveAndDiscard = async (round: number) => {
    const saved = await write(author, 'same.md', `Same ${round % 2}.`);
    const discarded = await other(draftPath, { method: 'DELETE' });
    return [saved.status, discarded.status];
  };
  const rounds = Array.from({ length: 30 }, (_, round) => saveAndDiscard(round));
  const statuses = (await Promise.all(rounds)).flat();
  expect(statuses.filter((status) => status >= 500)).toEqual([]);
  expect(statuses).toContain(200);
});

test('the whole draft is read and saved as portable JSON', async () => {
  const { author } = await start();
  await write(author, 'examples/a.md', 'B.');
  const { document, etag } = await getDraft(author);
  const sent = structuredClone(document);
  sent?.skill.files.push({ path: 'new.md', content: 'New.' });
  const saved = await author(draftPath, {
    method: 'PUT',
    body: JSON.stringify(sent),
    headers: { 'if-match': `"${etag}"`, 'content-type': 'application/json' },
  });
  expect(saved.status).toBe(200);
  const draft = await getDraft(author);
  expect(draft.files.map(({ path }) => path)).toEqual([
    'SKILL.md',
    'examples/a.md',
    'new.md',
    'references/format.md',
  ]);
  const diff = await parseAnswer(skillDraftsApi.diff.response, author(`${draftPath}/diff`));
  expect(diff.changes.map(({ path, change }) => [path, change])).toEqual([
    ['examples/a.md', 'changed'],
    ['new.md', 'added'],
  ]);
  expect(await (await author(`${draftPath}/files/new.md`)).text()).toBe('New.');
});

test('a new skill begins as a draft, and does not exist for users before it is published', async () => {
  const { admin, author, reviewer } = await start();
  const path = '/api/skill-drafts/fresh';
  const saved = await author(path, { method: 'PUT', body: skillFile('fresh', 'Is new.') });
  expect(saved.status).toBe(200);
  expect((await admin('/api/admin/skills/fresh')).status).toBe(404);
  const { id } = await submitted(author, 'Is new.', 'fresh');
  const review = await getReview(reviewer, id);
  expect(review.from).toBeUndefined();
  expect(review.changes).toMatchObject([{ path: 'SKILL.md', change: 'added' }]);
  expect((await decide(reviewer, id, 'approve')).status).toBe(200);
  expect((await admin('/api/admin/skills/fresh')).status).toBe(200);
  expect(await versions(admin, 'fresh')).toMatchObject([{ number: 1, reviewedBy: 'rita' }]);
});

test('a draft that exists is overwritten only by an author who names the state they have seen', async () => {
  const { author, other } = await start();
  const path = '/api/skill-drafts/fresh';
  const put = (visitor: Visitor, text: string, headers: Record<string, string> = {}) =>
    visitor(path, { method: 'PUT', body: skillFile('fresh', text), headers });
  const content = async () => (await author(`${path}/files/SKILL.md`)).text();
  expect((await put(author, 'Mine.', { 'if-none-match': '*' })).status).toBe(200);
  expect(await parseProblem(put(other, 'Theirs.'))).toMatchObject({
    status: 428,
    code: 'precondition-required',
    detail: expect.stringContaining('saved by ann. Load it, and send its etag as If-Match'),
  });
  expect((await put(other, 'Theirs.', { 'if-none-match': '*' })).status).toBe(409);
  expect((await put(other, 'Theirs.', { 'if-match': '"stale"' })).status).toBe(412);
  expect(await content()).toContain('Mine.');
  const { etag } = await getDraft(other, 'fresh');
  expect((await put(other, 'Theirs.', { 'if-match': `"${etag}"` })).status).toBe(200);
  expect((await put(author, 'Any.', { 'if-match': '*' })).status).toBe(200);
  expect(await content()).toContain('Any.');
});

test('a draft of an older version is updated to the published one before it is submitted', async () => {
  const { author, editor, reviewer } = await start();
  await write(author, 'examples/a.md', 'B.');
  const { id } = await submitted(author);
  const published = (path: string, body: string) =>
    editor(`/api/admin/skills/${skill}/files/${path}`, { method: 'PUT', body });
  await published('references/format.md', 'Changed there.');
  expect(await getReview(reviewer, id)).toMatchObject({
    isOutdated: true,
    may: { approve: false },
  });
  expect(await codeOf(decide(reviewer, id, 'approve'))).toBe('conflict');
  await decide(author, id, 'withdraw');
  expect(await codeOf(submit(author))).toBe('conflict');
  const rebase = (json: object) => author(`${draftPath}/rebase`, { json });
  expect((await rebase({})).status).toBe(200);
  expect(await getDraft(author)).toMatchObject({ base: 2, isOutdated: false });
  const text = async (path: string) => (await author(`${draftPath}/files/${path}`)).text();
  expect(await text('references/format.md')).toBe('Changed there.');
  expect(await text('examples/a.md')).toBe('B.');
  await published('examples/a.md', 'Theirs.');
  const conflict = await parseProblem(rebase({}));
  expect([conflict.code, conflict.issues]).toEqual([
    'conflict',
    [expect.objectContaining({ path: 'examples/a.md', code: 'changed-in-both' })],
  ]);
  expect((await rebase({ prefer: 'draft' })).status).toBe(200);
  expect(await text('examples/a.md')).toBe('B.');
  const again = await submitted(author);
  expect((await decide(reviewer, again.id, 'approve')).status).toBe(200);
});

test('a skill of a plugin has no draft', async () => {
  const server = await startTestServer({
    files: {
      'plugins/style/.claude-plugin/plugin.json': JSON.stringify({ name: 'style' }),
      'plugins/style/skills/stylist/SKILL.md': skillFile('stylist', 'Is told.'),
    },
  });
  onTestFinished(server.close);
  const admin = await signInAdmin(server);
  const path = '/api/skill-drafts/stylist';
  const save = admin(path, { method: 'PUT', body: skillFile('stylist', 'Is changed.') });
  expect(await codeOf(save)).toBe('read-only');
  expect(await codeOf(admin(path))).toBe('not-found');
});

test('an edit by hand makes a review outdated', async () => {
  const { server, author, reviewer } = await start();
  await write(author, 'examples/a.md', 'B.');
  const { id } = await submitted(author);
  const file = join(server.folder, 'contents/skills', skill, 'examples/a.md');
  await writeFile(file, 'By hand.');
  expect(await codeOf(decide(reviewer, id, 'approve'))).toBe('conflict');
  expect(await publishedText(author, 'examples/a.md')).toBe('By hand.');
});

test.each([
  ['PUT', '/api/skill-drafts/meeting-notes', 400, 'invalid-archive', '{"skill": {"content": 1}}'],
  ['PUT', '/api/skill-drafts/meeting-notes', 400, 'invalid-archive', 'PK\u0003\u0004broken'],
  ['PUT', '/api/skill-drafts/Not%20a%20name', 400, 'invalid-request', skillFile('x', 'X.')],
  ['PUT', '/api/skill-drafts/meeting-notes/files/..%2Fx', 400, 'invalid-request', 'X.'],
  ['PUT', '/api/skill-drafts/meeting-notes/files/SKILL.md', 400, 'invalid-skill', 'No frontmatter'],
  ['DELETE', '/api/skill-drafts/meeting-notes/files/SKILL.md', 409, 'conflict'],
  ['DELETE', '/api/skill-drafts/meeting-notes/files/none.md', 404, 'not-found'],
  ['PUT', '/api/skill-drafts/none/files/a.md', 404, 'not-found', 'A.'],
  ['GET', '/api/skill-drafts/meeting-notes', 404, 'not-found'],
  ['DELETE', '/api/skill-drafts/meeting-notes', 404, 'not-found'],
  ['GET', '/api/skill-drafts/meeting-notes/diff', 404, 'not-found'],
  ['GET', '/api/skill-reviews/one', 400, 'invalid-request'],
  ['GET', `/api/skill-reviews/${crypto.randomUUID()}`, 404, 'not-found'],
  ['GET', '/api/skill-reviews?state=none', 400, 'invalid-request'],
  ['GET', '/api/skill-reviews?cursor=x', 400, 'invalid-request'],
])('%s %s is refused with %d %s', async (method, path, status, code, body?: string) => {
  const { author } = await start();
  const answer = await author(path, { method, ...(body === undefined ? {} : { body }) });
  expect([answer.status, await codeOf(Promise.resolve(answer))]).toEqual([status, code]);
});

test('a name that is a path is refused, and reads no folder', async () => {
  const { author } = await start();
  for (const name of ['../config', '../skills/meeting-notes', 'meeting-notes/examples', 'a\0b']) {
    const path = `/api/skill-drafts/${encodeURIComponent(name)}`;
    expect(await codeOf(author(path)), name).toBe('invalid-request');
    expect(await codeOf(author(`${path}/files/a.md`, { method: 'PUT', body: 'A' }))).toBe(
      'invalid-request',
    );
  }
});

test('a draft without changes or with an invalid SKILL.md is not submitted', async () => {
  const { author } = await start();
  expect(await codeOf(submit(author))).toBe('not-found');
  await write(author, 'examples/a.md', 'A.');
  expect(await codeOf(submit(author))).toBe('conflict');
  expect(await codeOf(submit(author, ' '))).toBe('invalid-request');
  const { etag } = await getDraft(author);
  await author(draftPath, {
    method: 'PUT',
    body: `---\nname: ${skill}\n---\nWithout a description.`,
    headers: { 'if-match': `"${etag}"` },
  });
  expect(await codeOf(submit(author))).toBe('invalid-skill');
});

test('a backup with data contains drafts and reviews, and restores them', async () => {
  const { server, admin, author } = await start();
  await write(author, 'examples/a.md', 'B.');
  const { id } = await submitted(author);
  const backup = await exportBackup(admin, '?data=true');
  await decide(author, id, 'withdraw');
  await author(draftPath, { method: 'DELETE' });

  await importBackup(admin, backup);

  const again = (await signInAgain(server, 'rita')).visitor;
  expect(await getReview(again, id)).toMatchObject({
    review: { state: 'open' },
    isOutdated: false,
  });
  expect((await decide(again, id, 'approve')).status).toBe(200);
  expect(await publishedText(await signInAdmin(server), 'examples/a.md')).toBe('B.');
});

test('drafts and reviews keep their contents while versions are pruned', async () => {
  const server = await startTestServer({
    files: { 'config/skills.json': { settings: { versions: { keep: 1 } } } },
  });
  onTestFinished(server.close);
  const admin = await signInAdmin(server);
  const save = (body: string) =>
    admin(`/api/admin/skills/${skill}/files/a.md`, { method: 'PUT', body });
  await save('One.');
  await write(admin, 'a.md', 'Draft.');
  const { id } = await submitted(admin);
  for (const body of ['Two.', 'Three.', 'Draft.', 'Four.']) {
    await save(body);
  }
  expect(await (await admin(`${draftPath}/files/a.md`)).text()).toBe('Draft.');
  await decide(admin, id, 'withdraw');
  expect((await admin(`${draftPath}/rebase`, { json: { prefer: 'draft' } })).status).toBe(200);
  const again = await submitted(admin);
  expect((await decide(admin, again.id, 'approve')).status).toBe(200);
  expect(await publishedText(admin, 'a.md')).toBe('Draft.');
});

test.runIf(onPostgres())('two nodes that approve at once publish one version', async () => {
  const nodes = await createNodes(files({ mode: 'review' }));
  const [one, two] = [await nodes.start(), await nodes.start()] as [TestServer, TestServer];
  const [first, second] = [await signInAdmin(one), await signInAdmin(two)];
  for (const round of [1, 2, 3]) {
    await write(first, 'examples/a.md', `${round}`);
    const { id } = await submitted(first);
    const answers = await Promise.all([
      decide(first, id, 'approve'),
      decide(second, id, 'approve'),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await versions(second)).toHaveLength(round + 1);
  }
});

test.each([
  ['a mistake elsewhere', (settings: object) => ({ settings: { ...settings, bin: { days: -1 } } })],
  ['a mistake in the policy', () => ({ settings: { publishing: { mode: 'reviews' } } })],
  ['no settings that can be read', () => ({ settings: [] })],
])('a server that starts with %s in skills.json requires reviews', async (_, broken) => {
  const written = { publishing: { mode: 'review', fourEyes: true } };
  const server = await startTestServer({
    files: { ...files(written.publishing), 'config/skills.json': broken(written) },
  });
  onTestFinished(server.close);
  const admin = await signInAdmin(server);
  const save = admin(`/api/admin/skills/${skill}/files/SKILL.md`, {
    method: 'PUT',
    body: skillFile(skill, 'Is changed.'),
  });
  expect(await parseProblem(save)).toMatchObject({ code: 'review-required' });
});
