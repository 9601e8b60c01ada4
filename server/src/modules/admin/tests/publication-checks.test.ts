import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { adminApi } from '@knowhow/shared/config/admin';
import type { CheckResult } from '@knowhow/shared/skills/publication-checks';
import { skillDraftsApi } from '@knowhow/shared/skills/skill-drafts';
import { skillReviewsApi } from '@knowhow/shared/skills/skill-reviews';
import { skillVersionsApi } from '@knowhow/shared/skills/skill-versions';
import { expect, onTestFinished, test } from 'vitest';
import { exportBackup, importBackup } from '../../../testing/backup-calls.ts';
import { parseAnswer, parseProblem } from '../../../testing/parse-answer.ts';
import { signInNew } from '../../../testing/rights-chat.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { skillFile } from '../../../testing/skill-folder.ts';
import { defaultFiles, startTestServer, type Visitor } from '../../../testing/start-test-server.ts';

const skill = 'meeting-notes';
const draftPath = `/api/skill-drafts/${skill}`;
const group = (id: string, adminAccess: string[]) => ({
  [id]: { id, name: id, permissions: { adminAccess } },
});

/** Another skill, which has the same other files. */
const twinFile = skillFile('twin', 'Takes notes, too.');

async function start(checks: object = {}, settings: object = {}) {
  const server = await startTestServer({
    files: {
      'config/skills.json': {
        settings: { publishing: { mode: 'review', checks }, ...settings },
      },
      'config/groups.json': {
        groups: {
          admins: { id: 'admins', name: 'Admins', permissions: { adminAccess: true } },
          ...group('authors', ['skills']),
          ...group('reviewers', ['publish']),
        },
      },
      'skills/meeting-notes/SKILL.md': defaultFiles['skills/meeting-notes/SKILL.md'],
      'skills/meeting-notes/scripts/run.py': 'print(1)',
      'skills/twin/SKILL.md': twinFile,
      'skills/twin/references/format.md': defaultFiles['skills/meeting-notes/references/format.md'],
      'skills/twin/scripts/run.py': 'print(1)',
    },
  });
  onTestFinished(server.close);
  const admin = await signInAdmin(server);
  const person = async (username: string, groups: string[]) =>
    (await signInNew(server, admin, { username, groups })).visitor;
  return {
    server,
    admin,
    author: await person('ann', ['authors']),
    reviewer: await person('rita', ['reviewers']),
  };
}

const write = (visitor: Visitor, path: string, body: string) =>
  parseAnswer(
    skillDraftsApi.writeFile.response,
    visitor(`${draftPath}/files/${path}`, { method: 'PUT', body }),
  );
const submit = async (visitor: Visitor) => {
  const json = { message: 'Changes it.' };
  return parseAnswer(skillDraftsApi.submit.response, visitor(`${draftPath}/submit`, { json }));
};
const getReview = (visitor: Visitor, id: string) =>
  parseAnswer(skillReviewsApi.get.response, visitor(`/api/skill-reviews/${id}`));
const decide = (visitor: Visitor, id: string, action: string, json: object = {}) =>
  visitor(`/api/skill-reviews/${id}/${action}`, { json });
const approve = (visitor: Visitor, id: string, json?: object) =>
  decide(visitor, id, 'approve', json);
const newest = async (visitor: Visitor) => {
  const path = `/api/skill-versions/${skill}`;
  return (await parseAnswer(skillVersionsApi.list.response, visitor(path))).items[0];
};
const find = (checks: readonly CheckResult[] | undefined, id: CheckResult['id']) =>
  checks?.find((check) => check.id === id);
const failed = (checks: readonly CheckResult[] | undefined) =>
  checks?.filter(({ passed }) => !passed).map(({ id, level }) => `${id} ${level}`);

/** A key as AWS writes them, in two parts: no scanner takes it for a real one. */
const key = `AKIA${'IOSFODNN7EXAMPLE'}`;

test('a draft shows its checks with each save, and its review shows the same', async () => {
  const { author, reviewer } = await start();
  const clean = await write(author, 'examples/a.md', 'A.');
  expect(clean.checks?.map(({ id, level, passed }) => [id, level, passed])).toEqual([
    ['blocked', 'required', true],
    ['diagnostics', 'required', true],
    ['secrets', 'advisory', true],
    ['scripts', 'advisory', true],
    ['dependencies', 'advisory', true],
    ['links', 'advisory', true],
    ['size', 'advisory', true],
  ]);
  await write(author, 'examples/a.md', `First.\nkey: ${key}`);
  await write(author, 'scripts/run.py', 'print(2)');
  const { checks } = await write(author, 'scripts/new/fill.sh', 'echo 1');
  expect(failed(checks)).toEqual(['secrets advisory', 'scripts advisory']);
  expect(find(checks, 'secrets')?.findings).toMatchObject([
    { path: 'examples/a.md', code: 'looks-like-secret', values: { line: 2, start: 'AKIA…' } },
  ]);
  expect(find(checks, 'secrets')?.findings[0]?.message).not.toContain('examples/a.md');
  expect(JSON.stringify(checks)).not.toContain(key);
  expect(find(checks, 'scripts')?.findings.map(({ path, code }) => [path, code])).toEqual([
    ['scripts/new/fill.sh', 'code-new'],
    ['scripts/run.py', 'code-changed'],
  ]);
  const { id } = await submit(author);
  expect((await getReview(reviewer, id)).checks).toEqual(checks);
  // Advisory checks do not stop publication.
  expect((await approve(reviewer, id)).status).toBe(200);
  const closed = await getReview(reviewer, id);
  expect([closed.checks, closed.override]).toEqual([undefined, undefined]);
});

test('links, needs and size of the instructions are checked', async () => {
  const { author } = await start({}, { maxSkillBodyTokens: 20 });
  const body = `Read [the format](references/none.md). ${'Take notes of it. '.repeat(10)}`;
  const text = `---\nname: ${skill}\ndescription: Notes.\ndepends-on: [not-here]\n---\n${body}`;
  const { checks } = await write(author, 'SKILL.md', text);
  expect(failed(checks)).toEqual(['dependencies advisory', 'links advisory', 'size advisory']);
  expect(find(checks, 'links')?.findings).toMatchObject([
    { path: 'SKILL.md', line: 6, code: 'file-missing', values: { file: 'references/none.md' } },
  ]);
  expect(find(checks, 'dependencies')?.findings[0]?.message).toContain('not-here');
  expect(find(checks, 'size')?.findings[0]?.values).toMatchObject({ most: 20 });
});

test('a skill that had an error before is not published with it by accident', async () => {
  const { server, author, reviewer } = await start();
  const main = join(server.folder, 'contents/skills', skill, 'SKILL.md');
  await writeFile(main, `---\nname: ${skill}\n---\nWithout a description.`);
  const { checks } = await write(author, 'examples/a.md', 'A.');
  expect(failed(checks)).toEqual(['diagnostics required']);
  const { id } = await submit(author);
  expect((await parseProblem(approve(reviewer, id))).code).toBe('check-failed');
  const fixed = skillFile(skill, 'Takes notes.');
  await parseAnswer(skillReviewsApi.withdraw.response, decide(author, id, 'withdraw'));
  expect(failed((await write(author, 'SKILL.md', fixed)).checks)).toEqual([]);
});

test('a required check that fails stops publication until a publisher overrides it', async () => {
  const { admin, author, reviewer } = await start({ secrets: 'required', scripts: 'required' });
  await write(author, 'examples/a.md', `key: ${key}`);
  await write(author, 'scripts/run.py', 'print(2)');
  // A draft may be submitted: a reviewer decides about its checks.
  const { id } = await submit(author);
  const refused = await approve(reviewer, id);
  expect(refused.status).toBe(409);
  expect(await parseProblem(Promise.resolve(refused))).toMatchObject({
    code: 'check-failed',
    detail: expect.stringContaining('secrets, scripts'),
    issues: [
      { path: 'examples/a.md', code: 'secrets' },
      { path: 'scripts/run.py', code: 'scripts' },
    ],
  });
  expect((await newest(admin))?.number).toBe(1);
  const override = { reason: ' The key is an example. ' };
  expect((await approve(reviewer, id, { comment: 'Fine.', override })).status).toBe(200);
  const kept = { reason: 'The key is an example.', checks: ['secrets', 'scripts'] };
  expect(await newest(admin)).toMatchObject({ number: 2, reviewedBy: 'rita', override: kept });
  expect((await getReview(reviewer, id)).override).toEqual(kept);
  const audit = await parseAnswer(adminApi.audit.response, admin('/api/admin/audit?limit=1'));
  expect(audit.items[0]).toMatchObject({ action: 'review-approved', after: { override: kept } });
});

test('an override is not kept if nothing fails', async () => {
  const { admin, author, reviewer } = await start({ secrets: 'required' });
  await write(author, 'examples/a.md', 'A.');
  const { id } = await submit(author);
  expect((await approve(reviewer, id, { override: { reason: 'In a hurry.' } })).status).toBe(200);
  expect((await newest(admin))?.override).toBeUndefined();
});

test('an override needs the right to publish, also where saving publishes', async () => {
  const { admin, author } = await start({ scripts: 'required' });
  const settings = { publishing: { mode: 'direct', checks: { scripts: 'required' } } };
  const saved = await admin('/api/admin/settings/skills', { method: 'PUT', json: settings });
  expect(saved.status).toBe(200);
  await write(author, 'scripts/run.py', 'print(2)');
  const { id } = await submit(author);
  const override = { reason: 'It is harmless.' };
  expect((await parseProblem(approve(author, id))).code).toBe('check-failed');
  expect((await parseProblem(approve(author, id, { override }))).code).toBe('forbidden');
  expect((await approve(admin, id, { override })).status).toBe(200);
});

test('checks that are off are neither run nor shown', async () => {
  const { author, reviewer } = await start({ scripts: 'off', diagnostics: 'off', secrets: 'off' });
  const { checks } = await write(author, 'scripts/run.py', 'print(2)');
  expect(checks?.map(({ id }) => id)).toEqual(['blocked', 'dependencies', 'links', 'size']);
  const { id } = await submit(author);
  expect((await approve(reviewer, id)).status).toBe(200);
});

test('files of a blocked skill are not published, whatever the settings and the reason', async () => {
  const { admin, author, reviewer } = await start();
  const { checks } = await write(author, 'SKILL.md', twinFile);
  expect(find(checks, 'blocked')).toMatchObject({ level: 'required', passed: true });
  const { id } = await submit(author);
  const json = { reason: 'It leaks.', tellUsers: false };
  const block = await admin('/api/admin/skills/twin/block', { method: 'PUT', json });
  expect(block.status).toBe(200);
  const review = await getReview(reviewer, id);
  expect(review.may.approve).toBe(false);
  expect(find(review.checks, 'blocked')).toMatchObject({
    passed: false,
    findings: [{ values: { name: 'twin', reason: 'It leaks.' } }],
  });
  const override = { reason: 'It does not.' };
  expect((await parseProblem(approve(reviewer, id, { override }))).code).toBe('skill-blocked');
});

test('the settings at the time of the decision count', async () => {
  const { admin, author, reviewer } = await start({ scripts: 'required' });
  await write(author, 'scripts/run.py', 'print(2)');
  const { id } = await submit(author);
  expect((await parseProblem(approve(reviewer, id))).code).toBe('check-failed');
  const settings = { publishing: { mode: 'review', checks: { scripts: 'advisory' } } };
  await admin('/api/admin/settings/skills', { method: 'PUT', json: settings });
  expect(failed((await getReview(reviewer, id)).checks)).toEqual(['scripts advisory']);
  expect((await approve(reviewer, id)).status).toBe(200);
});

test('at most twenty findings are listed, and the rest is counted', async () => {
  const { author } = await start();
  for (let at = 1; at <= 25; at += 1) {
    await write(author, `scripts/${at}.py`, 'print(1)');
  }
  const draft = await parseAnswer(skillDraftsApi.get.response, author(draftPath));
  const found = find(draft.checks, 'scripts');
  expect([found?.findings.length, found?.more]).toEqual([20, 5]);
});

test.each([
  ['an empty reason', { override: { reason: ' ' } }],
  ['no reason', { override: {} }],
  ['a reason that is too long', { override: { reason: 'x'.repeat(1001) } }],
  ['other fields', { override: { reason: 'x', checks: [] } }],
])('an override with %s is refused', async (_, json) => {
  const { author, reviewer } = await start({ scripts: 'required' });
  await write(author, 'scripts/run.py', 'print(2)');
  const { id } = await submit(author);
  expect((await parseProblem(approve(reviewer, id, json))).code).toBe('invalid-request');
});

test('a level that does not exist is refused with its place', async () => {
  const { admin } = await start();
  const json = { publishing: { checks: { secrets: 'sometimes' } } };
  const refused = await parseProblem(admin('/api/admin/settings/skills', { method: 'PUT', json }));
  expect(refused.code).toBe('invalid-request');
  expect(refused.issues?.map(({ path }) => path)).toEqual(['publishing.checks.secrets']);
});

test('the audit log and a backup without secrets show the level of the check for secrets', async () => {
  const { admin } = await start();
  const levelIn = async (visitor: Visitor) => {
    const settings = await visitor('/api/admin/settings/skills');
    return JSON.stringify(await settings.json()).match(/"secrets":"(\w+)"/)?.[1];
  };
  const set = (secrets: string) =>
    admin('/api/admin/settings/skills', {
      method: 'PUT',
      json: { publishing: { checks: { secrets } } },
    });
  expect((await set('required')).status).toBe(200);
  const audit = await admin('/api/admin/audit?limit=1');
  expect(JSON.stringify(await audit.json())).toContain('"secrets":"required"');
  const backup = await exportBackup(admin);
  expect((await set('off')).status).toBe(200);
  expect(await levelIn(admin)).toBe('off');
  await importBackup(admin, backup);
  expect(await levelIn(admin)).toBe('required');
});

test('a backup keeps overrides', async () => {
  const { server, admin, author, reviewer } = await start({ scripts: 'required' });
  await write(author, 'scripts/run.py', 'print(2)');
  const { id } = await submit(author);
  await approve(reviewer, id, { override: { reason: 'It is harmless.' } });
  const backup = await exportBackup(admin, '?data=true');
  await importBackup(admin, backup);
  const version = await newest(await signInAdmin(server));
  expect(version?.override).toEqual({ reason: 'It is harmless.', checks: ['scripts'] });
});
