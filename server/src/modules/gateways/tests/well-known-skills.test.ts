import { createHash } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { wellKnownSkillsApi } from '@knowhow/shared/skills/well-known-skills';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeKey } from '../../../testing/make-key.ts';
import { parseAnswer } from '../../../testing/parse-answer.ts';
import { signInNew } from '../../../testing/rights-chat.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { skillFile } from '../../../testing/skill-folder.ts';
import {
  startTestServer,
  type TestServer,
  type Visitor,
} from '../../../testing/start-test-server.ts';

const place = '/.well-known/agent-skills/';
const files = {
  'config/platform.json': { auth: { anonymous: { enabled: true, groups: ['anonymous'] } } },
  'config/groups.json': {
    groups: {
      anonymous: { permissions: { apps: ['chat'], skills: ['plain'] } },
      staff: {
        permissions: { apps: ['chat'], skills: ['plain', 'with-script', 'Größe', 'large'] },
      },
      admins: { permissions: { adminAccess: true } },
    },
  },
  'apps/chat.json': { id: 'chat', name: 'Chat', skills: ['*'] },
  'skills/plain/SKILL.md': skillFile('plain', 'Is only a text.'),
  'skills/with-script/SKILL.md': skillFile('with-script', 'Runs something.'),
  'skills/with-script/scripts/run.sh': '#!/bin/sh\necho done\n',
  'skills/Größe/SKILL.md': skillFile('größe', 'Has a name that the format does not allow.'),
  'skills/secret/SKILL.md': skillFile('secret', 'Is for others.'),
  'skills/large/SKILL.md': skillFile('large', 'Is too large.'),
};

let server: TestServer;
let admin: Visitor;
let program: Visitor;
beforeAll(async () => {
  server = await startTestServer({ files });
  await writeFile(
    join(server.folder, 'contents/skills/large/data.bin'),
    Buffer.alloc(17 * 2 ** 20),
  );
  admin = await signInAdmin(server);
  const member = await signInNew(server, admin, { username: 'ann', groups: ['staff'] });
  program = (await makeKey(server, member.visitor, ['skills'])).program;
});
afterAll(() => server.close());

const readIndex = async (caller: Visitor) =>
  parseAnswer(wellKnownSkillsApi.index.response, caller(`${place}index.json`));
const digestOf = (bytes: Uint8Array) =>
  `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
const download = async (caller: Visitor, url: string) =>
  Buffer.from(await (await caller(place + url)).arrayBuffer());

test('the index lists what the caller may use, with digests of the bytes at each address', async () => {
  const { $schema, skills } = await readIndex(program);

  expect($schema).toBe('https://schemas.agentskills.io/discovery/0.2.0/schema.json');
  expect(skills.map(({ name, type, url }) => [name, type, url])).toEqual([
    ['plain', 'skill-md', 'plain/SKILL.md'],
    ['with-script', 'archive', 'with-script.tar.gz'],
  ]);
  for (const { url, digest } of skills) {
    expect(digestOf(await download(program, url)), url).toBe(digest);
  }
});

test('an archive has the files at its top, and is the same each time', async () => {
  const archive = await download(program, 'with-script.tar.gz');

  const tar = gunzipSync(archive).toString('latin1');
  expect(tar).toMatch(/^SKILL\.md\0/);
  expect(tar).toContain('scripts/run.sh\0');
  expect(await download(program, 'with-script.tar.gz')).toEqual(archive);
});

test('anonymous callers get their skills, and others do not exist for them', async () => {
  const anonymous = server.visitor();

  const { skills } = await readIndex(anonymous);
  expect(skills.map(({ name }) => name)).toEqual(['plain']);
  for (const path of [
    'with-script.tar.gz',
    'with-script/SKILL.md',
    'secret/SKILL.md',
    'no.tar.gz',
  ]) {
    expect((await anonymous(place + path)).status, path).toBe(404);
  }
});

test.each([
  'gr%C3%B6%C3%9Fe/SKILL.md',
  'large.tar.gz',
  '..%2Fplain/SKILL.md',
  'secret.tar.gz',
  'other.json',
])('%s is not available', async (path) => {
  expect((await program(place + path)).status).toBe(404);
});

test('an unchanged index costs no download', async () => {
  const first = await program(`${place}index.json`);
  const tag = first.headers.get('etag') ?? '';

  // `fetch` would add `no-cache`.
  const headers = { 'If-None-Match': tag, 'Cache-Control': 'max-age=0' };
  const again = await program(`${place}index.json`, { headers });
  expect(again.status).toBe(304);
  expect(await again.text()).toBe('');
});

test('changed, blocked and deleted skills change the index at once', async () => {
  const before = await readIndex(program);
  await admin('/api/admin/skills/with-script/files/scripts/run.sh', {
    method: 'PUT',
    body: '#!/bin/sh\necho other\n',
  });
  const changed = await readIndex(program);
  expect(changed.skills[1]?.digest).not.toBe(before.skills[1]?.digest);

  await admin('/api/admin/skills/plain/block', { method: 'PUT', json: { reason: 'Is wrong.' } });
  expect((await readIndex(program)).skills.map(({ name }) => name)).toEqual(['with-script']);
  expect((await program(`${place}plain/SKILL.md`)).status).toBe(404);
  await admin('/api/admin/skills/plain/block', { method: 'DELETE' });

  await rm(join(server.folder, 'contents/skills/with-script'), { recursive: true });
  expect((await readIndex(program)).skills.map(({ name }) => name)).toEqual(['plain']);
});

test('a key without the scope for skills gets nothing', async () => {
  const member = await signInNew(server, admin, { username: 'ben', groups: ['staff'] });
  const { program: chatOnly } = await makeKey(server, member.visitor, ['chat']);

  expect((await chatOnly(`${place}index.json`)).status).toBe(403);
});
