import { adminApi } from '@knowhow/shared/config/admin';
import { adminSkillsApi } from '@knowhow/shared/skills/admin-skills';
import { skillArchivesApi } from '@knowhow/shared/skills/skill-archives';
import { skillDraftsApi } from '@knowhow/shared/skills/skill-drafts';
import { skillVersionsApi } from '@knowhow/shared/skills/skill-versions';
import { expect, onTestFinished, test } from 'vitest';
import { createTextZip } from '../../../testing/foreign-skills.ts';
import { parseAnswer, parseProblem } from '../../../testing/parse-answer.ts';
import { signInNew } from '../../../testing/rights-chat.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { skillFile } from '../../../testing/skill-folder.ts';
import { startTestServer, type Visitor } from '../../../testing/start-test-server.ts';

/** A key as AWS writes them, in two parts: no scanner takes it for a real one. */
const key = `AKIA${'IOSFODNN7EXAMPLE'}`;
const file = '/api/admin/skills/notes/files/examples/a.md';
const override = `override=${encodeURIComponent('The key is an example.')}`;
const kept = { reason: 'The key is an example.', checks: ['secrets'] };

async function start(checks: object = { secrets: 'required' }) {
  const server = await startTestServer({
    files: {
      'config/skills.json': { settings: { publishing: { mode: 'direct', checks } } },
      'config/groups.json': {
        groups: {
          admins: { id: 'admins', name: 'Admins', permissions: { adminAccess: true } },
          authors: { id: 'authors', name: 'Authors', permissions: { adminAccess: ['skills'] } },
        },
      },
      'skills/notes/SKILL.md': skillFile('notes', 'Takes notes.'),
    },
  });
  onTestFinished(server.close);
  const admin = await signInAdmin(server);
  const { visitor: author } = await signInNew(server, admin, {
    username: 'ann',
    groups: ['authors'],
  });
  return { admin, author };
}

const write = (visitor: Visitor, body: string, query = '') =>
  visitor(`${file}${query}`, { method: 'PUT', body });
const newest = async (visitor: Visitor, skill = 'notes') =>
  (await parseAnswer(skillVersionsApi.list.response, visitor(`/api/skill-versions/${skill}`)))
    .items[0];
const setChecks = (visitor: Visitor, checks: object) =>
  visitor('/api/admin/settings/skills', { method: 'PUT', json: { publishing: { checks } } });
const expectRefusal = async (answer: Promise<Response>, path: string) =>
  expect(await parseProblem(answer)).toMatchObject({
    code: 'check-failed',
    issues: [{ path, code: 'secrets' }],
  });

test('a save that adds a finding of a required check is refused, and overridden with a reason', async () => {
  const { admin, author } = await start();
  await expectRefusal(write(author, `key: ${key}`), 'examples/a.md');
  expect((await parseProblem(write(author, `key: ${key}`, `?${override}`))).code).toBe('forbidden');
  expect((await author(file)).status).toBe(404);
  expect((await write(admin, `key: ${key}`, `?${override}`)).status).toBe(200);
  expect(await newest(admin)).toMatchObject({ override: kept });
  const audit = await parseAnswer(adminApi.audit.response, admin('/api/admin/audit?limit=1'));
  expect(audit.items[0]).toMatchObject({ action: 'file-written', after: { override: kept } });
});

test('a finding that was there before does not stop other saves, but another one does', async () => {
  const { admin, author } = await start({});
  expect((await write(author, `key: ${key}`)).status).toBe(200);
  await setChecks(admin, { secrets: 'required' });
  const other = (body: string) => author(`${file}.txt`, { method: 'PUT', body });
  expect((await other('Has no key.')).status).toBe(200);
  await expectRefusal(other(`key: ${key}`), 'examples/a.md.txt');
  // The first characters do not tell one key from another.
  await expectRefusal(write(author, `key: ${key}\nAnd more.`), 'examples/a.md');
  expect((await newest(admin))?.override).toBeUndefined();
});

test('a new skill and a copy pass the same checks', async () => {
  const { admin, author } = await start({});
  await write(author, `key: ${key}`);
  await setChecks(admin, { secrets: 'required' });
  const json = { name: 'keys', description: 'Has keys.', body: `Use ${key}.` };
  await expectRefusal(author('/api/admin/skills', { json }), 'SKILL.md');
  expect((await author('/api/admin/skills/keys')).status).toBe(404);
  const copy = '/api/admin/skills/notes/duplicate';
  await expectRefusal(author(copy, { json: { name: 'copy' } }), 'examples/a.md');
  const copied = admin(`${copy}?${override}`, { json: { name: 'copy' } });
  expect((await parseAnswer(adminSkillsApi.duplicate.response, copied)).name).toBe('copy');
  expect((await newest(admin, 'copy'))?.override).toEqual(kept);
});

test('a restored version passes the checks, or a publisher gives a reason', async () => {
  const { admin, author } = await start({});
  await write(author, `key: ${key}`);
  await write(author, 'Without a key.');
  await setChecks(admin, { secrets: 'required' });
  const path = '/api/skill-versions/notes/2/restore';
  await expectRefusal(author(path, { method: 'POST' }), 'examples/a.md');
  const old = '/api/admin/skills/notes/history/2/restore';
  await expectRefusal(author(old, { method: 'POST' }), 'examples/a.md');
  const forbidden = author(`${path}?${override}`, { method: 'POST' });
  expect((await parseProblem(forbidden)).code).toBe('forbidden');
  expect((await newest(admin))?.number).toBe(3);
  expect((await admin(`${path}?${override}`, { method: 'POST' })).status).toBe(200);
  expect(await newest(admin)).toMatchObject({ number: 4, override: kept });
});

test('a preview passes the checks, and its end needs none', async () => {
  const { admin, author } = await start({});
  await write(author, `key: ${key}`);
  await write(author, 'Without a key.');
  await setChecks(admin, { secrets: 'required' });
  const preview = (visitor: Visitor, json: object) =>
    visitor('/api/skill-versions/notes/2/preview', { json });
  const groups = ['authors'];
  await expectRefusal(preview(author, { groups }), 'examples/a.md');
  const reason = 'The key is an example.';
  expect((await preview(admin, { groups, override: { reason } })).status).toBe(200);
  const audit = await parseAnswer(adminApi.audit.response, admin('/api/admin/audit?limit=1'));
  expect(audit.items[0]).toMatchObject({ action: 'previewed', after: { override: kept } });
  expect((await preview(author, { groups: [] })).status).toBe(200);
});

test('an import with one skill that fails installs none, until a publisher overrides it', async () => {
  const { admin, author } = await start();
  const body = createTextZip({
    'clean/SKILL.md': skillFile('clean', 'Is clean.'),
    'keys/SKILL.md': skillFile('keys', 'Has keys.'),
    'keys/examples/a.md': `key: ${key}`,
  });
  const send = (visitor: Visitor, query = '') =>
    visitor(`/api/admin/skills/import${query}`, { method: 'POST', body });
  const report = await parseAnswer(
    skillArchivesApi.validate.response,
    author('/api/admin/skills/validate', { method: 'POST', body }),
  );
  expect(report.skills.map(({ name, checks }) => [name, checks?.map(({ id }) => id)])).toEqual([
    ['clean', undefined],
    ['keys', ['secrets']],
  ]);
  await expectRefusal(send(author), 'keys/examples/a.md');
  expect(await newest(admin, 'clean').catch(() => undefined)).toBeUndefined();
  const { installed } = await parseAnswer(
    skillArchivesApi.import.response,
    send(admin, `?${override}`),
  );
  expect(installed.map(({ name }) => name).sort()).toEqual(['clean', 'keys']);
  expect((await newest(admin, 'keys'))?.override).toEqual(kept);
  expect((await newest(admin, 'clean'))?.override).toBeUndefined();
});

test('the number of findings counts those that are not listed one by one', async () => {
  const { author } = await start({});
  const paths = Array.from({ length: 80 }, (_, at) => `notes/examples/${at}.md`);
  const body = createTextZip({
    'notes/SKILL.md': skillFile('notes', 'Takes notes.'),
    ...Object.fromEntries(paths.map((path) => [path, `key: ${key}`])),
  });
  const saved = author('/api/skill-drafts/notes', { method: 'PUT', body });
  const { checks } = await parseAnswer(skillDraftsApi.put.response, saved);
  const found = checks?.find(({ id }) => id === 'secrets');
  expect((found?.findings.length ?? 0) + (found?.more ?? 0)).toBe(80);
});
