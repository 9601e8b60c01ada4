import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { adminApi, trialSchema } from '@knowhow/shared/config/admin';
import {
  adminSkillDetailSchema,
  adminSkillListSchema,
  skillAccessSchema,
} from '@knowhow/shared/skills/admin-skill';
import { adminSkillsApi } from '@knowhow/shared/skills/admin-skills';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseAnswer, parseProblem } from '../../../testing/parse-answer.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { skillFile } from '../../../testing/skill-folder.ts';
import {
  startTestServer,
  type TestServer,
  type Visitor,
} from '../../../testing/start-test-server.ts';
import { waitFor } from '../../../testing/wait-for.ts';
import { temporaryFolder, writeFiles } from '../../../testing/write-files.ts';

let server: TestServer;
let admin: Visitor;

beforeAll(async () => {
  const extra = await temporaryFolder();
  await writeFiles(extra, {
    'shared-skill/SKILL.md': skillFile('shared-skill', 'Comes from elsewhere.'),
    'meeting-notes/SKILL.md': skillFile('meeting-notes', 'Is hidden by the local one.'),
  });
  server = await startTestServer({
    environment: { SKILLS_EXTRA_DIRS: extra },
    files: {
      'config/groups.json': {
        note: 'kept',
        groups: {
          anonymous: {
            id: 'anonymous',
            name: 'Anonymous',
            permissions: { apps: ['*'], models: ['*'] },
          },
          writers: {
            id: 'writers',
            name: 'Writers',
            permissions: { apps: ['chat', 'desk'], models: ['*'], skills: ['meeting-notes'] },
          },
          editors: { id: 'editors', name: 'Editors', inherits: ['writers'] },
          outsiders: { id: 'outsiders', name: 'Outsiders' },
          admins: {
            id: 'admins',
            name: 'Admins',
            permissions: { apps: ['*'], models: ['*'], skills: ['*'], adminAccess: true },
          },
        },
      },
      'apps/desk.json': {
        id: 'desk',
        name: 'Desk',
        system: 'You sit at a desk.',
        unknown: { kept: true },
      },
      'skills/broken/SKILL.md': '---\nname: broken\n---\n\nNo description, only a paragraph.\n',
      'skills/empty/SKILL.md': '',
      'skills/tagged/SKILL.md':
        '---\nname: tagged\ndescription: Has tags.\ncategory: ops\ntags: [alpha, beta]\n---\n\nDo it.\n',
    },
  });
  admin = await signInAdmin(server);
});
afterAll(() => server.close());

const list = (query = '') => parseAnswer(adminSkillListSchema, admin(`/api/admin/skills${query}`));
const detail = (response: Response | Promise<Response>) =>
  parseAnswer(adminSkillDetailSchema, response);
const get = (name: string) => detail(admin(`/api/admin/skills/${name}`));
const put = (name: string, json: unknown, headers: Record<string, string> = {}) =>
  admin(`/api/admin/skills/${name}`, { method: 'PUT', json, headers });
const names = (page: { items: { name: string }[] }) => page.items.map(({ name }) => name);

describe('the list', () => {
  test('contains every skill: on, off, broken and shadowed, with its source', async () => {
    const page = await list();
    const statuses = page.items.map((each) => [each.name, each.location, each.status]);
    expect(statuses).toEqual([
      ['broken', 'local:broken', 'off'],
      ['empty', 'local:empty', 'broken'],
      ['meeting-notes', 'local:meeting-notes', 'on'],
      ['meeting-notes', 'extra:meeting-notes', 'shadowed'],
      ['release-notes', 'local:release-notes', 'on'],
      ['shared-skill', 'extra:shared-skill', 'on'],
      ['tagged', 'local:tagged', 'on'],
    ]);
    expect(page.facets).toMatchObject({
      statuses: { on: 4, off: 1, broken: 1, shadowed: 1 },
      sources: ['local', 'extra'],
      categories: [{ value: 'ops', count: 1 }],
      tags: [
        { value: 'alpha', count: 1 },
        { value: 'beta', count: 1 },
      ],
    });
    expect(page.items[2]).toMatchObject({
      apps: ['chat'],
      groups: ['writers', 'editors', 'admins'],
      files: 2,
      writable: true,
    });
    expect(page.items[2]?.checksum).toMatch(/^[0-9a-f]{64}$/);
  });

  test('searches metadata and the declared name', async () => {
    await writeFiles(join(server.folder, 'contents'), {
      'skills/nested/SKILL.md':
        '---\nname: declared-name\ndescription: It.\nmetadata:\n  owner:\n    team: harbour\n---\nText\n',
    });
    await waitFor(async () => (await admin('/api/admin/skills/nested')).status === 200);
    for (const word of ['harbour', 'declared-name']) {
      expect(await (await admin(`/api/admin/skills?query=${word}`)).json()).toMatchObject({
        items: [{ name: 'nested', displayName: 'declared-name' }],
      });
    }
    await rm(join(server.folder, 'contents/skills/nested'), { recursive: true });
    await waitFor(async () => (await admin('/api/admin/skills/nested')).status === 404);
  });

  test.each([
    ['?status=broken', ['empty']],
    ['?status=off', ['broken']],
    ['?source=extra', ['meeting-notes', 'shared-skill']],
    ['?category=ops', ['tagged']],
    ['?tag=alpha', ['tagged']],
    ['?query=NOTES%20release', ['release-notes']],
    ['?problems=errors', ['broken', 'empty', 'meeting-notes']],
    ['?problems=errors&status=off', ['broken']],
    ['?app=desk', []],
    ['?sort=name&order=desc&limit=2', ['tagged', 'shared-skill']],
    ['?limit=2&cursor=2', ['meeting-notes', 'meeting-notes']],
  ])('%s', async (query, expected) => {
    expect(names(await list(query))).toEqual(expected);
  });

  test('rejects an unknown filter', async () => {
    const response = await admin('/api/admin/skills?status=sleeping');
    expect(response.status).toBe(400);
    expect((await parseProblem(response)).issues?.[0]?.path).toBe('status');
  });
});

describe('one skill', () => {
  test('is shown completely', async () => {
    const skill = await get('meeting-notes');
    expect(skill).toMatchObject({
      valid: true,
      status: 'on',
      ownDescription: 'Turns notes into decisions.',
      listedInApps: [],
      grantedByGroups: ['writers'],
      hides: [{ location: 'extra:meeting-notes', description: 'Is hidden by the local one.' }],
    });
    expect(skill.fileList).toEqual([
      { path: 'SKILL.md', size: expect.any(Number), executable: false, kind: 'text' },
      { path: 'references/format.md', size: 21, executable: false, kind: 'text' },
    ]);
    expect(skill.tokens.body).toBeGreaterThan(5);
  });

  test('that cannot be read is shown with the reason', async () => {
    const skill = await get('empty');
    expect(skill.status).toBe('broken');
    expect(skill.diagnostics).toMatchObject([
      { code: 'unreadable', severity: 'error', message: 'SKILL.md is empty.' },
    ]);
    const refused = await put('empty', { enabled: true });
    expect(refused.status).toBe(409);
  });

  test('without a description is off until its file or an admin provides one', async () => {
    const seen = async () => (await admin('/api/skills/broken')).status;
    expect(await get('broken')).toMatchObject({
      status: 'off',
      diagnostics: [{ code: 'description-missing', severity: 'error' }],
    });
    const refused = await put('broken', { enabled: true });
    expect(refused.status).toBe(409);
    expect((await parseProblem(refused)).detail).toContain('it has no description');
    // Editing it by hand does not make it available.
    await writeFiles(join(server.folder, 'contents'), {
      'config/skills.json': { skills: { broken: { enabled: true } } },
    });
    await expect.poll(async () => (await put('broken', { priority: 1 })).status).toBe(200);
    expect(await get('broken')).toMatchObject({ status: 'off' });
    expect(await seen()).toBe(404);
    const overrides = { description: 'Is described by an admin.' };
    const switched = await put('broken', { enabled: true, overrides });
    expect(await switched.json()).toMatchObject({
      status: 'on',
      description: overrides.description,
    });
    expect(await seen()).toBe(200);
    await put('broken', { overrides: { description: '' } });
    expect(await get('broken')).toMatchObject({ status: 'off' });
    expect(await seen()).toBe(404);
  });

  test('is counted by its status; a hidden one counts as nothing else', async () => {
    const ready = await admin('/api/ready');
    expect(await ready.json()).toMatchObject({ skills: { loaded: 4, disabled: 1, broken: 1 } });
  });

  test('that does not exist is not found', async () => {
    expect((await admin('/api/admin/skills/nothing')).status).toBe(404);
  });
});

describe('settings', () => {
  test('enable a skill, override its description, and preserve unknown fields', async () => {
    const path = join(server.folder, 'contents/config/skills.json');
    await writeFiles(join(server.folder, 'contents'), {
      'config/skills.json': { skills: { tagged: { note: 'mine' } }, extra: 1 },
    });
    const changed = await put('tagged', {
      enabled: false,
      priority: 3,
      overrides: { description: ' Better words. ' },
    });
    expect(await changed.json()).toMatchObject({
      status: 'off',
      priority: 3,
      description: 'Better words.',
      ownDescription: 'Has tags.',
    });
    expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({
      skills: {
        tagged: {
          note: 'mine',
          enabled: false,
          priority: 3,
          overrides: { description: 'Better words.' },
        },
      },
      extra: 1,
    });
    await put('tagged', { enabled: true, overrides: { description: '' } });
    expect(await get('tagged')).toMatchObject({ status: 'on', description: 'Has tags.' });
  });

  test('assign to apps and groups, and unassign', async () => {
    const assigned = await put('tagged', { apps: ['desk'], groups: ['writers'] });
    expect(await assigned.json()).toMatchObject({
      apps: ['chat', 'desk'],
      listedInApps: ['desk'],
      groups: ['writers', 'editors', 'admins'],
      grantedByGroups: ['writers'],
    });
    const file = JSON.parse(await readFile(join(server.folder, 'contents/apps/desk.json'), 'utf8'));
    expect(file).toMatchObject({ skills: ['tagged'], unknown: { kept: true } });
    await put('tagged', { apps: [], groups: [] });
    expect(await get('tagged')).toMatchObject({ apps: ['chat'], groups: ['admins'] });
  });

  test('report unknown apps and groups', async () => {
    const response = await put('tagged', { apps: ['nowhere'] });
    expect(response.status).toBe(400);
    expect((await parseProblem(response)).detail).toContain('nowhere');
    expect((await put('tagged', { colour: 'red' })).status).toBe(400);
  });

  test('are rejected when the skill has changed', async () => {
    const response = await put('tagged', { enabled: false }, { 'If-Match': '"old"' });
    expect(response.status).toBe(412);
    const { checksum } = await get('tagged');
    expect((await put('tagged', { enabled: true }, { 'If-Match': `"${checksum}"` })).status).toBe(
      200,
    );
  });

  test('are rejected when another admin has changed them meanwhile, wherever they are stored', async () => {
    const { settingsChecksum: seen } = await get('tagged');
    for (const meanwhile of [{ priority: 7 }, { apps: ['desk'] }, { groups: ['writers'] }]) {
      await put('tagged', meanwhile);
      const refused = await put('tagged', { enabled: false }, { 'If-Match': `"${seen}"` });
      expect(refused.status).toBe(412);
      expect((await parseProblem(refused)).code).toBe('changed-meanwhile');
      await put('tagged', { priority: 0, apps: [], groups: [] });
    }
    const { settingsChecksum } = await get('tagged');
    const accepted = await put(
      'tagged',
      { enabled: true },
      { 'If-Match': `"${settingsChecksum}"` },
    );
    expect(accepted.status).toBe(200);
  });

  test('that are rejected at one point write nothing, and leave no audit entry', async () => {
    const contents = join(server.folder, 'contents');
    const groupsFile = join(contents, 'config/groups.json');
    const groups = await readFile(groupsFile, 'utf8');
    const before = await readFile(join(contents, 'apps/desk.json'), 'utf8');
    const newest = async () => {
      const path = '/api/admin/audit?limit=1';
      return (await parseAnswer(adminApi.audit.response, admin(path))).items[0]?.id;
    };
    const last = await newest();
    await writeFile(groupsFile, groups.replace('"Outsiders"', '7'));
    try {
      const refused = await put('tagged', { priority: 9, apps: ['desk'], groups: ['writers'] });
      expect(refused.status).toBe(409);
    } finally {
      await writeFile(groupsFile, groups);
    }
    expect(await readFile(join(contents, 'apps/desk.json'), 'utf8')).toBe(before);
    expect(await get('tagged')).toMatchObject({ priority: 0, listedInApps: [] });
    expect(last).toBeDefined();
    expect(await newest()).toBe(last);
  });

  test('of a read-only skill can be changed: they are stored separately', async () => {
    expect((await put('shared-skill', { global: true })).status).toBe(200);
    expect(await get('shared-skill')).toMatchObject({ writable: false, global: true });
    await put('shared-skill', { global: false });
  });

  test('leave an audit trail', async () => {
    await put('tagged', { enabled: false });
    await put('tagged', { enabled: true });
    const audit = await parseAnswer(
      adminApi.audit.response,
      admin('/api/admin/audit?kind=skill&target=tagged&limit=1'),
    );
    expect(audit.items[0]).toMatchObject({
      userName: 'Admin',
      action: 'switched-on',
      target: 'tagged',
      before: { enabled: false },
      after: { enabled: true },
    });
  });
});

describe('its visibility', () => {
  const cell = async (name: string, group: string, app: string) => {
    const access = await parseAnswer(skillAccessSchema, admin(`/api/admin/skills/${name}/access`));
    return access.cells.find(
      (each: { group: string; app: string }) => each.group === group && each.app === app,
    );
  };

  test.each([
    ['meeting-notes', 'writers', 'chat', { sees: true, rule: 'all-listed' }],
    ['meeting-notes', 'editors', 'chat', { sees: true, rule: 'all-listed', via: 'writers' }],
    ['meeting-notes', 'writers', 'desk', { sees: false, rule: 'not-in-app' }],
    ['meeting-notes', 'anonymous', 'chat', { sees: false, rule: 'skill-not-granted' }],
    ['release-notes', 'writers', 'chat', { sees: false, rule: 'skill-not-granted' }],
    ['broken', 'admins', 'chat', { sees: false, rule: 'off' }],
    ['empty', 'admins', 'chat', { sees: false, rule: 'broken' }],
  ])('%s for %s in %s', async (name, group, app, expected) => {
    expect(await cell(name, group, app)).toMatchObject(expected);
  });

  test('matches what members get', async () => {
    const trial = (groups: string[], app: string) =>
      parseAnswer(trialSchema, admin('/api/admin/try-as', { json: { groups, app } }));
    const inChat = await trial(['editors'], 'chat');
    expect(names({ items: inChat.skills })).toEqual(['meeting-notes']);
    expect(inChat.catalogue).toContain('<name>meeting-notes</name>');
    expect(inChat.system).toContain('You are helpful.');
    expect(inChat.system).toContain(inChat.catalogue);
    expect(inChat.tools.map(({ name }) => name)).toContain('activate_skill');
    const atDesk = await trial(['editors'], 'desk');
    expect(atDesk).toMatchObject({
      skills: [],
      catalogue: '',
      system: 'You sit at a desk.',
      tools: [],
    });
    const unknown = await admin('/api/admin/try-as', { json: { groups: ['nobody'], app: 'chat' } });
    expect(unknown.status).toBe(400);
  });

  test('counts what everyone with an account may do', async () => {
    const platform = join(server.folder, 'contents/config/platform.json');
    const before = await readFile(platform, 'utf8');
    const withGroups = { ...JSON.parse(before), authenticatedGroups: ['writers'] };
    await writeFile(platform, JSON.stringify(withGroups));
    const expected = { sees: true, rule: 'all-listed', via: 'writers' };
    await waitFor(async () => (await cell('meeting-notes', 'outsiders', 'chat'))?.sees === true);
    expect(await cell('meeting-notes', 'outsiders', 'chat')).toMatchObject(expected);
    expect(await cell('meeting-notes', 'anonymous', 'chat')).toMatchObject({ sees: false });
    const json = { groups: ['outsiders'], app: 'chat' };
    const tried = await parseAnswer(trialSchema, admin('/api/admin/try-as', { json }));
    expect(names({ items: tried.skills })).toEqual(['meeting-notes']);
    await writeFile(platform, before);
    await waitFor(async () => (await cell('meeting-notes', 'outsiders', 'chat'))?.sees === false);
  });
});

describe('a new skill', () => {
  test('is created, and available immediately', async () => {
    const response = await admin('/api/admin/skills', {
      json: {
        name: 'first-steps',
        description: 'Shows the way: use when someone is new.',
        body: '# First steps\n\n1. Say hello.\n',
        metadata: { category: 'general', version: '1.0' },
      },
    });
    expect(response.status).toBe(201);
    expect(await response.json()).toMatchObject({ name: 'first-steps', valid: true, status: 'on' });
    const written = await readFile(
      join(server.folder, 'contents/skills/first-steps/SKILL.md'),
      'utf8',
    );
    expect(written).toBe(
      '---\nname: first-steps\ndescription: "Shows the way: use when someone is new."\nmetadata:\n  category: general\n  version: "1.0"\n---\n\n# First steps\n\n1. Say hello.\n',
    );
  });

  test('keeps its display name', async () => {
    const json = { name: 'complaints', description: 'Does it.', body: 'Do it.' };
    const displayName = 'Answer complaints';
    const response = await admin('/api/admin/skills', { json: { ...json, displayName } });
    expect(response.status).toBe(201);
    const created = await parseAnswer(
      adminSkillDetailSchema,
      admin('/api/admin/skills/complaints'),
    );
    expect(created).toMatchObject({
      name: 'complaints',
      displayName,
      ownDisplayName: 'complaints',
      overrides: { displayName },
    });
  });

  test.each([
    ['Not A Name', 400],
    ['con', 400],
    ['..', 400],
    ['new', 400],
    ['tagged', 409],
    ['shared-skill', 409],
  ])('must not be named %s', async (name, status) => {
    const response = await admin('/api/admin/skills', {
      json: { name, description: 'Does it.', body: 'Do it.' },
    });
    expect(response.status).toBe(status);
    expect((await parseProblem(response)).detail).toMatch(/name/);
  });

  test('never replaces a folder that is not a skill', async () => {
    await writeFiles(join(server.folder, 'contents'), { 'skills/papers/letter.txt': 'Dear all' });
    const response = await admin('/api/admin/skills', {
      json: { name: 'papers', description: 'Does it.', body: 'Do it.' },
    });
    expect(response.status).toBe(409);
  });

  test('with too long a description is rejected, with the excess length', async () => {
    const response = await admin('/api/admin/skills', {
      json: { name: 'long', description: 'x'.repeat(1030), body: 'Do it.' },
    });
    expect(response.status).toBe(400);
    expect((await parseProblem(response)).detail).toContain('6 over');
  });

  test('has its name validated and suggested', async () => {
    const check = (name: string) =>
      parseAnswer(
        adminSkillsApi.checkName.response,
        admin(`/api/admin/skills/check-name?name=${encodeURIComponent(name)}`),
      );
    expect(await check('Writing Style!')).toEqual({
      name: 'writing-style',
      free: true,
      valid: false,
    });
    expect(await check('tagged')).toMatchObject({ free: false, valid: true });
  });
});

describe('a copy', () => {
  test('of a read-only skill overrides it under the same name, and can be changed', async () => {
    const before = await get('shared-skill');
    const refused = await admin('/api/admin/skills/shared-skill/files/notes.md', {
      method: 'PUT',
      body: 'x',
    });
    expect(refused.status).toBe(403);
    expect((await parseProblem(refused)).detail).toContain('Copy it to local');
    const response = await admin('/api/admin/skills/shared-skill/duplicate', {
      json: { name: 'shared-skill' },
    });
    expect(response.status).toBe(201);
    expect(await response.json()).toMatchObject({ location: 'local:shared-skill', writable: true });
    expect(before.writable).toBe(false);
  });

  test('under another name has that name in its SKILL.md', async () => {
    const response = await admin('/api/admin/skills/tagged/duplicate', {
      json: { name: 'tagged-two' },
    });
    expect(await response.json()).toMatchObject({ name: 'tagged-two', tags: ['alpha', 'beta'] });
    expect((await get('tagged-two')).diagnostics.map(({ code }) => code)).not.toContain(
      'name-directory-mismatch',
    );
    const again = await admin('/api/admin/skills/tagged/duplicate', {
      json: { name: 'tagged-two' },
    });
    expect(again.status).toBe(409);
  });
});
