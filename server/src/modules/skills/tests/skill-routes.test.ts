import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { request as rawRequest } from 'node:http';
import { join } from 'node:path';
import { api } from '@knowhow/shared/api';
import { adminSkillDetailSchema } from '@knowhow/shared/skills/admin-skill';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createLog } from '../../../platform/lib/log.ts';
import { parseAnswer } from '../../../testing/parse-answer.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { skillFile } from '../../../testing/skill-folder.ts';
import {
  startTestServer,
  type TestServer,
  type Visitor,
} from '../../../testing/start-test-server.ts';
import { waitFor } from '../../../testing/wait-for.ts';
import { temporaryFolder, writeFiles } from '../../../testing/write-files.ts';

const png = Buffer.from('89504e470d0a1a0a0000', 'hex');
let server: TestServer;
let visitor: Visitor;

beforeAll(async () => {
  server = await startTestServer({
    files: {
      'skills/meeting-notes/assets/logo.png': png,
      'skills/meeting-notes/assets/page.html': '<script>alert(1)</script>',
      'skills/meeting-notes/assets/data.bin': Buffer.from([0, 1, 2]),
      'skills/meeting-notes/a b/ü.txt': 'deep',
      'skills/broken/SKILL.md': '---\nname: broken\n---\n',
      'apps/writing.json': { id: 'writing', name: 'Writing', skills: ['release-notes'] },
      'apps/closed.json': { id: 'closed', name: 'Closed', skills: ['*'], enabled: false },
      'secret.txt': 'top secret',
    },
  });
  const folder = join(server.folder, 'contents');
  await symlink(join(folder, 'secret.txt'), join(folder, 'skills/meeting-notes/link.txt'));
  await symlink('references/format.md', join(folder, 'skills/meeting-notes/inside.md'));
  visitor = server.visitor();
});
afterAll(() => server.close());

const get = async (path: string) => (await visitor(path)).json();
const file = (path: string) => visitor(`/api/skills/meeting-notes/files/${path}`);

describe('the list', () => {
  test("contains the caller's skills, by name, without broken ones", async () => {
    expect(await get('/api/skills')).toEqual({
      total: 2,
      items: [
        {
          name: 'meeting-notes',
          displayName: 'meeting-notes',
          description: 'Turns notes into decisions.',
          userInvocable: true,
          tags: [],
          requiresTools: [],
        },
        {
          name: 'release-notes',
          displayName: 'release-notes',
          description: 'Writes release notes.',
          userInvocable: true,
          tags: [],
          requiresTools: [],
        },
      ],
    });
  });

  test('is filtered by app', async () => {
    expect(await get('/api/skills?app=writing')).toMatchObject({
      items: [{ name: 'release-notes' }],
    });
    expect((await visitor('/api/skills?app=closed')).status).toBe(404);
    expect((await visitor('/api/skills/meeting-notes?app=writing')).status).toBe(404);
  });

  test('searches name, other names and description, best match first', async () => {
    const found = async (query: string): Promise<string[]> => {
      const response = await visitor(`/api/skills?query=${encodeURIComponent(query)}`);
      const { items }: { items: { name: string }[] } = JSON.parse(await response.text());
      return items.map(({ name }) => name);
    };
    expect(await found('notes')).toEqual(['meeting-notes', 'release-notes']);
    expect(await found('RELEASE NOTES')).toEqual(['release-notes']);
    expect(await found('writes release')).toEqual(['release-notes']);
    expect(await found('decisions')).toEqual(['meeting-notes']);
    expect(await found('zzzz')).toEqual([]);
    expect(await get('/api/skills?query=release-notes&app=writing&limit=1')).toMatchObject({
      items: [{ name: 'release-notes', score: 1 }],
      total: 1,
    });
    expect(await get('/api/skills?query=meeting-notes&app=writing')).toEqual({
      items: [],
      total: 0,
    });
  });

  test('is paginated', async () => {
    const first = await get('/api/skills?limit=1');
    expect(first).toMatchObject({ total: 2, items: [{ name: 'meeting-notes' }] });
    const second = await get('/api/skills?limit=1&cursor=1');
    expect(second).toEqual({
      total: 2,
      items: [expect.objectContaining({ name: 'release-notes' })],
    });
  });

  test.each([
    'limit=0',
    'limit=201',
    'limit=x',
    'cursor=x',
    'nonsense=1',
    'query='.padEnd(220, 'a'),
  ])('refuses ?%s with 400', async (query) => {
    expect((await visitor(`/api/skills?${query}`)).status).toBe(400);
  });
});

describe('one skill', () => {
  test('shows its metadata and its files', async () => {
    const skill = await get('/api/skills/meeting-notes');
    expect(skill).toMatchObject({ name: 'meeting-notes', metadata: {}, apps: ['chat'] });
    expect(await get('/api/skills/release-notes')).toMatchObject({ apps: ['chat', 'writing'] });
    expect(await get('/api/skills/release-notes?app=chat')).toMatchObject({ apps: ['chat'] });
    expect(skill).toHaveProperty('files', [
      { path: 'a b/ü.txt', size: 4 },
      { path: 'assets/data.bin', size: 3 },
      { path: 'assets/logo.png', size: 10 },
      { path: 'assets/page.html', size: 25 },
      { path: 'inside.md', size: 21 },
      { path: 'references/format.md', size: 21 },
    ]);
  });

  test('returns its instructions', async () => {
    expect(await get('/api/skills/meeting-notes/content')).toMatchObject({
      name: 'meeting-notes',
      body: expect.stringMatching(/^# meeting-notes/),
      checksum: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  test.each([
    '/api/skills/nope',
    '/api/skills/nope/content',
    '/api/skills/broken',
    '/api/skills/__proto__',
  ])('that is missing: 404 for %s', async (path) => {
    const response = await visitor(path);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ code: 'not-found' });
  });

  test('never reveals its location on the host', async () => {
    const texts = await Promise.all(
      ['/api/skills', '/api/skills/meeting-notes', '/api/skills/meeting-notes/content'].map(
        async (path) => (await visitor(path)).text(),
      ),
    );
    expect(texts.join()).not.toContain(server.folder);
  });
});

describe('a file', () => {
  test.each([
    ['references/format.md', 'text/plain; charset=utf-8', 'One decision a line.\n'],
    ['inside.md', 'text/plain; charset=utf-8', 'One decision a line.\n'],
    ['a%20b/%C3%BC.txt', 'text/plain; charset=utf-8', 'deep'],
    ['assets/page.html', 'text/plain; charset=utf-8', '<script>alert(1)</script>'],
    ['assets/logo.png', 'image/png', png.toString()],
  ])('%s is sent as %s', async (path, type, text) => {
    const response = await file(path);
    expect(response.headers.get('content-type')).toBe(type);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('content-security-policy')).toContain('sandbox');
    expect(await response.text()).toBe(text);
  });

  test('of an unknown kind is a download', async () => {
    const response = await file('assets/data.bin');
    expect(response.headers.get('content-type')).toBe('application/octet-stream');
    expect(response.headers.get('content-disposition')).toBe('attachment; filename=data.bin');
  });

  test.each([
    '../release-notes/SKILL.md',
    '..%2frelease-notes%2fSKILL.md',
    '%2e%2e/release-notes/SKILL.md',
    '%2e%2e%2f%2e%2e%2fsecret.txt',
    '..%5c..%5csecret.txt',
    '/etc/passwd',
    '%2fetc%2fpasswd',
    'C:%5cwindows',
    'references%00/format.md',
    'references/format.md%00.png',
    'link.txt',
    'references',
    'nope.md',
  ])('%s is treated as missing, and nothing is read (path traversal)', async (path) => {
    const { status, body } = await rawGet(`/api/skills/meeting-notes/files/${path}`);
    expect(status).toBe(404);
    expect(body).not.toContain('secret\n');
    expect(body).not.toMatch(/top secret|root:|Writes release/);
  });

  test('with an invalid encoding is rejected', async () => {
    expect((await rawGet('/api/skills/meeting-notes/files/%zz')).status).toBe(400);
  });
});

test('a skill that is added, changed and deleted is noticed without a restart', async () => {
  const folder = join(server.folder, 'contents/skills/dropped');
  await mkdir(folder);
  await writeFile(join(folder, 'SKILL.md'), skillFile('dropped', 'First.'));
  await waitFor(async () => (await visitor('/api/skills/dropped')).ok);
  await writeFile(join(folder, 'SKILL.md.new'), skillFile('dropped', 'Second.'));
  await rename(join(folder, 'SKILL.md.new'), join(folder, 'SKILL.md'));
  await waitFor(async () =>
    (await (await visitor('/api/skills/dropped')).text()).includes('Second.'),
  );
  await rm(folder, { recursive: true });
  await waitFor(async () => (await visitor('/api/skills/dropped')).status === 404);
});

/** Sends the raw path, which fetch would normalise. */
function rawGet(path: string): Promise<{ status: number | undefined; body: string }> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(server.url);
    rawRequest({ hostname, port, path }, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        body += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode, body }));
    })
      .on('error', reject)
      .end();
  });
}

test('SKILLS_STRICT aborts startup and names what is broken', async () => {
  const lines: string[] = [];
  const start = startTestServer({
    environment: { SKILLS_STRICT: 'true' },
    log: createLog('info', { write: (line) => void lines.push(line) }),
    files: { 'skills/broken/SKILL.md': '---\nname: broken\n---\nBody\n' },
  });
  await expect(start).rejects.toThrow('broken/SKILL.md: There is no description');
  // The server prints the reason when it exits; the log need not repeat it.
  expect(lines.join()).not.toContain('broken/SKILL.md');
  const good = await startTestServer({ environment: { SKILLS_STRICT: 'true' } });
  await good.close();
});

test('SKILLS_STRICT aborts startup if a folder of settings.sources is missing', async () => {
  const start = startTestServer({
    environment: { SKILLS_STRICT: 'true' },
    files: { 'config/skills.json': { settings: { sources: [{ path: 'contents/more' }] } } },
  });
  await expect(start).rejects.toThrow(
    /field settings\.sources\.0\.path: Skill path does not exist: .*more\./,
  );
});

test('a missing folder of settings.sources is an issue until it exists', async () => {
  const other = await startTestServer({
    files: { 'config/skills.json': { settings: { sources: [{ path: 'contents/more' }] } } },
  });
  onTestFinished(() => other.close());
  const admin = await signInAdmin(other);
  const faults = () => parseAnswer(api.health.faults.response, admin('/api/admin/faults'));
  const message = expect.stringMatching(
    /^Skill path does not exist: .*contents\/more\. Create the folder/,
  );
  expect(await faults()).toMatchObject({
    items: [{ path: 'contents/config/skills.json', field: 'settings.sources.0.path', message }],
  });
  await writeFiles(join(other.folder, 'contents'), {
    'more/late/SKILL.md': skillFile('late', 'Comes late.'),
  });
  await waitFor(async () => (await faults()).total === 0);
});

test('invalid skill paths are listed in the issues and the log, and abort a strict start', async () => {
  const files = {
    'config/skills.json': {
      settings: { sources: [{ path: 'contents/text' }, { path: 'contents/empty' }] },
    },
    text: 'No folder.',
    'empty/notes/readme.md': 'No skill.',
    'skills/other/SKILL.md': skillFile('another', 'Has another name.'),
    'skills/bad/SKILL.md': '---\nname: bad\n]\n---\n\nBody\n',
  };
  const extra = await temporaryFolder();
  await writeFiles(extra, { 'worse/SKILL.md': '---\nname: worse\n---\n' });
  const nowhere = join(extra, 'nowhere');
  const lines: string[] = [];
  const log = createLog('warn', { write: (line) => void lines.push(JSON.parse(line).msg) });
  const environment = { SKILLS_EXTRA_DIRS: `${nowhere}:${extra}` };
  const other = await startTestServer({ files, log, environment });
  onTestFinished(() => other.close());
  const admin = await signInAdmin(other);
  const page = await parseAnswer(api.health.faults.response, admin('/api/admin/faults'));
  const messages = page.items.map(({ message }) => message).join('\n');
  for (const text of [messages, lines.join('\n')]) {
    expect(text).toMatch(/Skill path not found or not a directory: .*contents\/text\. /);
    expect(text).toMatch(/SKILL\.md not found at .*contents\/empty\/SKILL\.md, nor/);
    expect(text).toContain(`Skill path does not exist: ${nowhere}.`);
  }
  expect(lines).toContainEqual(
    expect.stringContaining(`${join(extra, 'worse/SKILL.md')}: There is no description`),
  );
  expect(lines.join('\n')).toMatch(/^bad\/SKILL\.md:\d: Invalid SKILL\.md frontmatter: /m);
  const { diagnostics } = await parseAnswer(
    adminSkillDetailSchema,
    admin('/api/admin/skills/other'),
  );
  expect(diagnostics[0]?.message).toMatch(
    /^Skill name mismatch: the folder is "other" but SKILL\.md has "another"/,
  );
  const strict = startTestServer({ files, environment: { SKILLS_STRICT: 'true' } });
  await expect(strict).rejects.toThrow(
    /not a directory: [\s\S]*SKILL\.md not found at [\s\S]*Invalid SKILL\.md frontmatter/,
  );
});

test('folders beyond a limit are counted for probes, in the issues, on the list and in the log', async () => {
  const lines: string[] = [];
  const other = await startTestServer({
    environment: { SKILLS_MAX_DEPTH: '2' },
    log: createLog('info', { write: (line) => void lines.push(line) }),
    files: { 'skills/a/b/c/deep/SKILL.md': skillFile('deep', 'Lies deep.') },
  });
  onTestFinished(() => other.close());
  const admin = await signInAdmin(other);
  expect(await (await admin('/api/ready')).json()).toMatchObject({ skills: { foldersLeftOut: 1 } });
  expect(await (await admin('/api/admin/skills')).json()).toMatchObject({ foldersLeftOut: 1 });
  const message = expect.stringMatching(
    /^1 folder was not looked into: deeper than 2 levels\. .*SKILLS_MAX_DEPTH higher\.$/,
  );
  expect(await (await admin('/api/admin/faults')).json()).toMatchObject({ items: [{ message }] });
  const logged = lines.filter((line) => line.includes('SKILLS_MAX_DEPTH'));
  expect(
    logged.map((line) => line.split(join(other.folder, 'contents/skills')).length - 1),
  ).toEqual([1]);
});

test('the log names each unavailable skill once, with path and cause, and counts the rest', async () => {
  const lines: string[] = [];
  const mute = Array.from({ length: 60 }, (_, n) => [
    `skills/mute-${n}/SKILL.md`,
    `---\n---\nText ${n}\n`,
  ]);
  const other = await startTestServer({
    log: createLog('info', { write: (line) => void lines.push(JSON.parse(line).msg) }),
    files: {
      'skills/a-empty/SKILL.md': '',
      'config/skills.json': { skills: { 'meeting-notes': { enabled: false } } },
      ...Object.fromEntries(mute),
    },
  });
  onTestFinished(() => other.close());
  const about = (path: string) => lines.filter((line) => line?.startsWith(`${path}/SKILL.md`));
  expect(about('meeting-notes')).toEqual([expect.stringContaining('switched off')]);
  expect(about('a-empty')).toEqual([expect.stringContaining('is empty')]);
  expect(about('mute-0')).toEqual([expect.stringContaining('There is no description')]);
  expect(lines).toContain('12 more skills are not offered.');
  await writeFiles(join(other.folder, 'contents'), {
    'skills/zz-mute/SKILL.md': '---\n---\nText\n',
  });
  await waitFor(() => about('zz-mute').length === 1);
  expect(about('mute-0')).toHaveLength(1);
});

test('SKILLS_EXTRA_DIRS and settings.sources add skills; the local folder takes precedence', async () => {
  const extra = await temporaryFolder();
  await writeFiles(extra, {
    'one/extra-one/SKILL.md': skillFile('extra-one', 'From the environment.'),
    'one/meeting-notes/SKILL.md': skillFile('meeting-notes', 'Not this one.'),
  });
  const other = await startTestServer({
    environment: { SKILLS_EXTRA_DIRS: join(extra, 'one') },
    files: {
      'config/skills.json': { settings: { sources: [{ path: 'contents/two' }] } },
      'two/extra-two/SKILL.md': skillFile('extra-two', 'From the settings.'),
    },
  });
  const page = await (await other.visitor()('/api/skills')).json();
  expect(page).toMatchObject({
    items: [
      { name: 'extra-one' },
      { name: 'extra-two' },
      { name: 'meeting-notes', description: 'Turns notes into decisions.' },
      { name: 'release-notes' },
    ],
  });
  await other.close();
});
