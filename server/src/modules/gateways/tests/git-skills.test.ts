import { chmod, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cloneSkills, runGitClient } from '../../../testing/git-client.ts';
import { makeKey } from '../../../testing/make-key.ts';
import { signInNew } from '../../../testing/rights-chat.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { skillFile } from '../../../testing/skill-folder.ts';
import {
  startTestServer,
  type TestServer,
  type Visitor,
} from '../../../testing/start-test-server.ts';
import { temporaryFolder } from '../../../testing/write-files.ts';

const withCategory = (name: string, category: string) =>
  `---\nname: ${name}\ndescription: Does something.\nmetadata:\n  category: ${category}\n---\n\nText.\n`;

const files = {
  'config/platform.json': {
    anonymousAuth: { enabled: true },
    rateLimit: { requests: 0 },
  },
  'config/groups.json': {
    groups: {
      anonymous: { permissions: { apps: ['chat'], skills: ['plain'] } },
      staff: { permissions: { apps: ['chat'], skills: ['plain', 'scripted', 'größe', 'odd'] } },
      admins: { permissions: { adminAccess: true } },
    },
  },
  'apps/chat.json': { id: 'chat', name: 'Chat', skills: ['*'] },
  'skills/plain/SKILL.md': withCategory('plain', 'Writing & Editing'),
  'skills/scripted/SKILL.md': withCategory('scripted', 'writing  editing'),
  'skills/scripted/scripts/run.sh': '#!/bin/sh\necho done\n',
  'skills/größe/SKILL.md': withCategory('größe', '文章'),
  'skills/größe/références/日本語.md': 'Text.\n',
  'skills/odd/SKILL.md': skillFile('odd', 'Has files that git refuses.'),
  'skills/odd/.gitmodules': '[submodule "../../x"]\n\turl = -u./payload\n\tpath = x\n',
  'skills/odd/sub/.GIT /config': '[core]\n\tfsmonitor = touch /tmp/x\n',
  'skills/odd/sub/.g\u200cit/config': 'x',
  'skills/odd/git~1/config': 'x',
  'skills/odd/.gitattributes': '* text eol=crlf\n',
  'skills/odd/a "quoted" name.md': 'Quoted.\n',
  'skills/secret/SKILL.md': skillFile('secret', 'Is for others.'),
};

let server: TestServer;
let admin: Visitor;
let key: string;
let address: string;
beforeAll(async () => {
  server = await startTestServer({ files });
  await chmod(join(server.folder, 'contents/skills/scripted/scripts/run.sh'), 0o755);
  address = `${server.url}/git/skills.git`;
  admin = await signInAdmin(server);
  const member = await signInNew(server, admin, { username: 'ann', groups: ['staff'] });
  key = (await makeKey(server, member.visitor, ['skills'])).key;
});
afterAll(() => server.close());

const block = (name: string, method: 'PUT' | 'DELETE') =>
  admin(`/api/admin/skills/${name}/block`, {
    method,
    ...(method === 'PUT' ? { json: { reason: 'Is wrong.' } } : {}),
  });

test('a clone has the files of the skills that the key may use, with executable bits, on main', async () => {
  const { folder, git, ...clone } = await cloneSkills(address, { key });

  expect(await clone.files()).toEqual(
    [
      '.claude-plugin/marketplace.json',
      'README.md',
      'skills/größe/SKILL.md',
      'skills/größe/références/日本語.md',
      'skills/odd/SKILL.md',
      'skills/odd/a "quoted" name.md',
      'skills/plain/SKILL.md',
      'skills/scripted/SKILL.md',
      'skills/scripted/scripts/run.sh',
    ].sort(),
  );
  expect(await git('branch', '--show-current')).toBe('main\n');
  expect(await readFile(join(folder, 'skills/plain/SKILL.md'), 'utf8')).toBe(
    files['skills/plain/SKILL.md'],
  );
  const modeOf = async (path: string) => (await stat(join(folder, path))).mode & 0o111;
  expect(await modeOf('skills/scripted/scripts/run.sh')).toBe(0o111);
  expect(await modeOf('skills/scripted/SKILL.md')).toBe(0);
});

test.each([0, 1, 2] as const)(
  'git fsck finds nothing with version %s of the protocol',
  async (version) => {
    const { git } = await cloneSkills(address, { key, version });

    expect(await git('fsck', '--strict', '--full')).toBe('');
  },
);

test('the marketplace has a plugin for each category', async () => {
  const { folder } = await cloneSkills(address, { key });

  const text = await readFile(join(folder, '.claude-plugin/marketplace.json'), 'utf8');
  expect(JSON.parse(text)).toEqual({
    name: 'knowhow',
    owner: { name: 'Knowhow' },
    metadata: { description: expect.any(String) },
    plugins: [
      plugin(expect.stringMatching(/^category-[0-9a-f]{8}$/), '文章 (1 skill)', ['größe']),
      plugin('general', 'General (1 skill)', ['odd']),
      plugin('writing-editing', 'Writing & Editing (2 skills)', ['plain', 'scripted']),
    ],
  });
});

function plugin(name: unknown, description: string, skills: string[]) {
  const paths = skills.map((id) => `./skills/${id}`);
  return { name, description, source: './', strict: false, category: name, skills: paths };
}

test('anonymous callers get fewer skills, and no object of the others', async () => {
  const others = await cloneSkills(address, { key });
  const { skills, git } = await cloneSkills(address);

  expect(await skills()).toEqual(['plain']);
  const commit = await others.commit();
  for (const version of ['0', '2']) {
    const fetch = git('-c', `protocol.version=${version}`, 'fetch', 'origin', commit);
    await expect(fetch, version).rejects.toThrow(/not our ref|unadvertised object/);
  }
});

test('a pull gets what was published since, and removes what was blocked', async () => {
  const { git, folder, skills, commit } = await cloneSkills(address, { key });
  const before = await commit();

  const path = '/api/admin/skills/plain/files/notes.md';
  expect((await admin(path, { method: 'PUT', body: 'New.\n' })).ok).toBe(true);
  await git('pull', '--quiet');
  expect(await readFile(join(folder, 'skills/plain/notes.md'), 'utf8')).toBe('New.\n');

  await block('scripted', 'PUT');
  await git('pull', '--quiet');
  expect(await skills()).toEqual(['größe', 'odd', 'plain']);
  expect(await git('status', '--porcelain')).toBe('');
  expect(await git('log', '--format=%s')).toBe('Publish 3 skills\n');

  await block('scripted', 'DELETE');
  await admin(path, { method: 'DELETE' });
  await git('pull', '--quiet');
  expect(await commit()).toBe(before);
});

test('commits of the own work stay after a pull', async () => {
  const { git, folder, skills } = await cloneSkills(address, { key });
  await writeFile(join(folder, 'own.md'), 'Own.\n');
  await git('add', '.');
  const author = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.com'];
  await git(...author, 'commit', '--quiet', '-m', 'Own work');

  await block('plain', 'PUT');
  await git(...author, 'pull', '--quiet');
  await block('plain', 'DELETE');

  expect(await skills()).not.toContain('plain');
  expect(await git('log', '--format=%s')).toBe('Own work\nPublish 3 skills\n');
});

test('the same skills have the same commit on another server', async () => {
  const other = await startTestServer({ files });
  try {
    const first = await cloneSkills(address);
    const second = await cloneSkills(`${other.url}/git/skills.git`);
    expect(await second.commit()).toBe(await first.commit());
  } finally {
    await other.close();
  }
});

test('many callers at once get the same repository, which is built once', async () => {
  await block('odd', 'PUT');
  const built = join(server.folder, 'data/git-served');
  const before = (await readdir(built)).length;
  const clones = await Promise.all(Array.from({ length: 4 }, () => cloneSkills(address, { key })));
  await block('odd', 'DELETE');

  const commits = await Promise.all(clones.map(({ commit }) => commit()));
  expect(new Set(commits).size).toBe(1);
  expect((await readdir(built)).length).toBe(before + 1);
});

test('many anonymous requests of one address wait for each other, and all are answered', async () => {
  const refs = '/git/skills.git/info/refs?service=git-upload-pack';
  const visitor = server.visitor();
  const answers = await Promise.all(
    Array.from({ length: 24 }, async () => {
      const answer = await visitor(refs);
      await answer.arrayBuffer();
      return answer.status;
    }),
  );
  expect(new Set(answers)).toEqual(new Set([200]));
});

test('git asks for a key where one is needed, and takes it as a password', async () => {
  const closed = await startTestServer({
    files: { ...files, 'config/platform.json': { anonymousAuth: { enabled: false } } },
  });
  try {
    const owner = await signInNew(closed, await signInAdmin(closed), {
      username: 'ann',
      groups: ['staff'],
    });
    const own = (await makeKey(closed, owner.visitor, ['skills'])).key;
    const chatOnly = (await makeKey(closed, owner.visitor, ['chat'])).key;
    const urlOf = (password: string) =>
      `http://any:${password}@${new URL(closed.url).host}/git/skills.git`;

    const { skills } = await cloneSkills(urlOf(own));
    expect(await skills()).toContain('scripted');
    for (const wrong of ['kh_wrong', 'wrong', `${own}x`]) {
      await expect(cloneSkills(urlOf(wrong)), wrong).rejects.toThrow(
        /This key is unknown or has expired[\s\S]*Authentication failed/,
      );
    }
    await expect(cloneSkills(urlOf(chatOnly))).rejects.toThrow(
      /lacks the scope "skills"[\s\S]*403/,
    );
    const refs = '/git/skills.git/info/refs?service=git-upload-pack';
    const refused = await closed.visitor()(refs);
    expect(refused.status).toBe(401);
    expect(refused.headers.get('www-authenticate')).toMatch(/^Basic realm=/);
  } finally {
    await closed.close();
  }
});

test('a push is refused with the reason', async () => {
  const { git } = await cloneSkills(address, { key });

  await expect(git('push', 'origin', 'main')).rejects.toThrow(/read-only[\s\S]*403/);
});

test('a server without git says what to install', async () => {
  const without = await startTestServer({ files, environment: { PATH: '/nonexistent' } });
  try {
    const folder = await temporaryFolder();
    const asked = runGitClient(folder, ['ls-remote', `${without.url}/git/skills.git`]);
    await expect(asked).rejects.toThrow(/Install the package git/);
  } finally {
    await without.close();
  }
});
