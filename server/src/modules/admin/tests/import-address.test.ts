import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { installedSchema } from '@knowhow/shared/skills/skill-archives';
import { skillVersionsApi } from '@knowhow/shared/skills/skill-versions';
import { expect, onTestFinished, test } from 'vitest';
import { type GitServer, startGitServer } from '../../../testing/git-server.ts';
import { listenOn } from '../../../testing/listen-on.ts';
import { parseAnswer, parseProblem } from '../../../testing/parse-answer.ts';
import { readAddress, reportAddress } from '../../../testing/read-address.ts';
import { signInAdmin } from '../../../testing/sign-in-admin.ts';
import { skillFile } from '../../../testing/skill-folder.ts';
import { defaultFiles, startTestServer, type Visitor } from '../../../testing/start-test-server.ts';
import { importToken } from '../../../testing/upload-archive.ts';
import { waitFor } from '../../../testing/wait-for.ts';
import { writeFiles } from '../../../testing/write-files.ts';

/** Timeout in milliseconds. */
const startsManyProcesses = 90_000;

async function start(allowPrivate = ['127.0.0.1']) {
  const git = await startGitServer();
  const platform = { outbound: { allowPrivate } };
  const files = { ...defaultFiles, 'config/platform.json': platform };
  const server = await startTestServer({ files });
  onTestFinished(server.close);
  const admin = await signInAdmin(server);
  return { git, server, admin, clones: join(server.folder, 'data/git') };
}

const told = (name: string) => skillFile(name, `Does ${name}. Use when asked.`);

/** The problem with which reading an address ends. */
async function problemOf(admin: Visitor, json: Parameters<typeof readAddress>[1]) {
  const last = (await readAddress(admin, json)).at(-1);
  if (last?.type !== 'error') {
    throw new Error('There is no problem.');
  }
  const { code, detail, issues = [] } = last.problem;
  return { code, detail, fault: issues[0]?.code };
}

const names = (report: { skills: readonly { name: string }[] }) =>
  report.skills.map(({ name }) => name).sort();

async function commitTwo(git: GitServer) {
  return git.commit('team/one', {
    'README.md': 'Read me.',
    'skills/pdf/SKILL.md': told('pdf'),
    'skills/pdf/scripts/run.sh': { script: '#!/bin/sh\n' },
    'skills/letters/SKILL.md': told('letters'),
  });
}

test(
  'previews and installs the skills of a repository, with commit and folder',
  async () => {
    const { git, admin, clones } = await start();
    const commit = await commitTwo(git);
    const events = await readAddress(admin, { address: git.url('team/one') });
    expect(events.flatMap((event) => (event.type === 'progress' ? event.phase : []))).toEqual([
      'waiting',
      'connecting',
      'listing',
      'fetching',
      'reading',
      'checking',
    ]);
    const last = events.at(-1);
    if (last?.type !== 'report') {
      throw new Error('There is no report.');
    }
    expect(last.commit).toEqual({ url: git.url('team/one'), commit, path: '' });
    expect(last.report.format).toBe('git');
    expect(names(last.report)).toEqual(['letters', 'pdf']);
    const run = last.report.skills.find(({ name }) => name === 'pdf')?.files.at(-1);
    expect(run).toMatchObject({ path: 'scripts/run.sh', executable: true });
    expect(last.report.leftOut).toEqual([{ path: 'README.md', files: 1, why: 'no-skill' }]);
    expect(existsSync(clones) ? await readdir(clones) : []).toEqual([]);

    const { token = '' } = last.report;
    const installed = await parseAnswer(
      installedSchema,
      importToken(admin, token, '?select=skills/pdf&message=From%20the%20team'),
    );
    expect(installed.installed.map(({ name, action }) => [name, action])).toEqual([
      ['pdf', 'created'],
    ]);
    const versions = await parseAnswer(
      skillVersionsApi.list.response,
      admin('/api/skill-versions/pdf'),
    );
    expect(versions.items[0]).toMatchObject({
      message: 'From the team',
      origin: { kind: 'git', detail: `${commit} ${git.url('team/one')} skills/pdf` },
    });
  },
  startsManyProcesses,
);

test(
  'understands links to a folder or a SKILL.md',
  async () => {
    const { git, admin } = await start();
    const commit = await commitTwo(git);
    await git.git('team/one', ['tag', 'v1.0', 'main']);
    await git.commit('team/one', { 'skills/t/SKILL.md': told('topical') }, 'topic/of/ann');
    // As on other servers, the repository has no ".git" in its address.
    git.intercept = (request, response) => {
      const isPlain = request.url?.startsWith('/team/one/') === true;
      if (isPlain) {
        response.writeHead(301, { location: request.url?.replace('/one/', '/one.git/') }).end();
      }
      return isPlain;
    };
    const links = {
      'blob/main/skills/pdf/SKILL.md?plain=1': ['pdf'],
      'src/tag/v1.0/skills/letters': ['letters'],
      'tree/topic/of/ann/skills': ['topical'],
      [`tree/${commit}/skills/pdf`]: ['pdf'],
    };
    for (const [link, expected] of Object.entries(links)) {
      const address = `127.0.0.1:${git.port}/team/one/${link}`;
      const { report } = await reportAddress(admin, { address: `http://${address}` });
      expect([link, names(report)]).toEqual([link, expected]);
    }
  },
  startsManyProcesses,
);

test(
  'a ref and a folder may be given apart from the address',
  async () => {
    const { git, admin } = await start();
    const old = await commitTwo(git);
    await git.commit('team/one', { 'skills/t/SKILL.md': told('topical') }, 'topic');
    const address = git.url('team/one');
    const topic = await reportAddress(admin, { address, ref: 'topic' });
    expect([names(topic.report), topic.commit.ref]).toEqual([['topical'], 'topic']);
    const { report } = await reportAddress(admin, { address, ref: old, path: 'skills/letters/' });
    expect(names(report)).toEqual(['letters']);
  },
  startsManyProcesses,
);

test('refuses addresses, refs and folders that git could misread', async () => {
  const { admin } = await start();
  const cases: [object, RegExp][] = [
    [{ address: '--upload-pack=x' }, /cannot begin with "-"/],
    [{ address: 'git@example.com:one/two.git' }, /ssh are not supported/],
    [{ address: 'ssh://git@example.com/one/two' }, /ssh are not supported/],
    [{ address: 'file:///etc/passwd' }, /file are not supported/],
    [{ address: 'file:/etc/passwd' }, /is a path on a computer/],
    [{ address: '/tmp/skills' }, /is a path on a computer/],
    [{ address: '../skills/pdf' }, /is a path on a computer/],
    [{ address: '~/skills' }, /is a path on a computer/],
    [{ address: 'team/skills/pdf' }, /is a path on a computer/],
    [{ address: 'C:\\skills' }, /is a path on a computer/],
    [{ address: 'C:/skills' }, /is a path on a computer/],
    [{ address: '\\\\server\\skills' }, /is a path on a computer/],
    [{ address: 'github.com' }, /names no repository/],
    [{ address: 'ext::sh -c id' }, /not the address/],
    [{ address: 'https://ann:secret@example.com/one/two' }, /user name or a password/],
    [{ address: 'https://example.com/' }, /names no repository/],
    [{ address: 'one/two', ref: '--upload-pack=x' }, /cannot be a branch/],
    [{ address: 'one/two', ref: 'a..b' }, /cannot be a branch/],
    [{ address: 'one/two', path: '../up' }, /cannot be a folder/],
    [{ address: 'one/two', path: '-x' }, /cannot be a folder/],
    [{ address: 'https://github.com/one/two/tree/-x' }, /cannot be a folder/],
  ];
  for (const [json, message] of cases) {
    const refused = await parseProblem(admin('/api/admin/skills/address', { json }));
    expect(refused).toMatchObject({ code: 'invalid-request' });
    expect(refused.detail).toMatch(message);
  }
});

test(
  'says what is wrong with a repository, and what to do',
  async () => {
    const { git, admin, clones } = await start();
    await commitTwo(git);
    await git.commit('empty', { 'README.md': 'Read me.' });
    const address = git.url('team/one');
    const cases = [
      [{ address: git.url('none') }, 'no-repository', /has no repository at \/none\.git/],
      [{ address, ref: 'gone' }, 'no-ref', /no branch or tag "gone"/],
      [{ address, ref: 'f'.repeat(40) }, 'no-ref', /does not have this commit/],
      [{ address, path: 'docs' }, 'no-path', /no folder "docs"/],
      [{ address: git.url('empty') }, 'no-path', /no SKILL\.md in the repository/],
    ] as const;
    for (const [json, fault, message] of cases) {
      const found = await problemOf(admin, json);
      expect(found).toMatchObject({ code: 'git-failed', fault });
      expect(found.detail).toMatch(message);
    }
    expect(existsSync(clones) ? await readdir(clones) : []).toEqual([]);
  },
  startsManyProcesses,
);

test('says that a repository is private', async () => {
  const { git, admin } = await start();
  git.intercept = (_request, response) => {
    response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
    return true;
  };
  const found = await problemOf(admin, { address: git.url('secret') });
  expect(found).toMatchObject({ code: 'git-failed', fault: 'private' });
  expect(git.requests).toEqual(['GET /secret.git/info/refs']);
});

test('follows no redirect to another host, neither at first nor later', async () => {
  const { git, admin } = await start();
  await commitTwo(git);
  const asked: string[] = [];
  const other = await listenOn(
    createServer((request, response) => {
      asked.push(request.url ?? '');
      response.end();
    }),
  );
  const redirect = { location: `http://127.0.0.1:${other}/one.git/info/refs` };
  git.intercept = (_request, response) => {
    response.writeHead(302, redirect).end();
    return true;
  };
  const first = await problemOf(admin, { address: git.url('team/one') });
  expect(first).toMatchObject({ fault: 'redirect' });
  expect(first.detail).toContain(`redirects to 127.0.0.1:${other}`);
  git.intercept = (_request, response) => {
    if (git.requests.length > 2) {
      response.writeHead(302, redirect).end();
    }
    return git.requests.length > 2;
  };
  expect(await problemOf(admin, { address: git.url('team/one') })).toMatchObject({
    code: 'git-failed',
    fault: 'failed',
  });
  expect(asked).toEqual([]);
});

test.each([
  ['127.0.0.1', /127\.0\.0\.1 is a private address/],
  ['localhost', /localhost leads to a private address/],
  ['169.254.169.254', /link-local/],
])('reaches no private address unless it is listed: %s', async (host, message) => {
  const { git, admin } = await start([]);
  const found = await problemOf(admin, { address: `http://${host}:${git.port}/team/one.git` });
  expect(found).toMatchObject({ code: 'git-failed', fault: 'refused-address' });
  expect(found.detail).toMatch(message);
  expect(git.requests).toEqual([]);
});

test('sends nothing over http to a public host', async () => {
  const { admin } = await start();
  const found = await problemOf(admin, { address: 'http://198.41.0.4/one/two' });
  expect(found.detail).toContain('http is not encrypted');
});

test('rejects a skill with a bad file, and takes the others', async () => {
  const { git, admin } = await start();
  await git.commit('odd', {
    'skills/good/SKILL.md': told('good'),
    'skills/good/AGENTS.md': { link: 'SKILL.md' },
    'skills/outside/SKILL.md': told('outside'),
    'skills/outside/passwd': { link: '../../../../etc/passwd' },
    'skills/case/SKILL.md': told('case'),
    'skills/case/a.md': 'One.',
    'skills/case/A.md': 'Two.',
    'skills/module/SKILL.md': told('module'),
    'skills/module/lib': { submodule: 'a'.repeat(40) },
    '.github/ISSUE.md': 'One.',
    '.github/issue.md': 'Two.',
    linked: { link: '/etc' },
  });
  const { report } = await reportAddress(admin, { address: git.url('odd') });
  expect(report.skills.map(({ name, accepted }) => [name, accepted]).sort()).toEqual([
    ['case', false],
    ['good', true],
    ['module', true],
    ['outside', false],
  ]);
  const reasons = report.skills.flatMap(({ name, accepted, diagnostics }) =>
    accepted ? [] : diagnostics.map(({ message }) => `${name}: ${message}`),
  );
  expect(reasons.join('\n')).toMatch(/case: .*differs from "skills\/case\/a.md" in case/i);
  expect(reasons.join('\n')).toMatch(/outside: .*leads out of the folder/);
  const good = report.skills.find(({ name }) => name === 'good');
  expect(good?.files.map(({ path }) => path).sort()).toEqual(['AGENTS.md', 'SKILL.md']);
  expect(report.leftOut).toContainEqual({
    path: 'skills/module/lib',
    files: 1,
    why: 'special-file',
  });
});

test('takes nothing of a folder named .git, at any depth', async () => {
  const { git, admin } = await start();
  await commitTwo(git);
  const blob = await git.git('team/one', ['hash-object', '-w', '--stdin'], told('evil'));
  const entry = (mode: string, kind: string, id: string, name: string) =>
    `${mode} ${kind} ${id.trim()}\t${name}\n`;
  const tree = (entries: string) => git.git('team/one', ['mktree', '--missing'], entries);
  const inner = await tree(entry('100644', 'blob', blob, 'SKILL.md'));
  const hidden = await tree(entry('040000', 'tree', inner, '.git'));
  const top = await tree(
    entry('040000', 'tree', hidden, 'a') + entry('040000', 'tree', inner, 'good'),
  );
  const made = await git.git('team/one', [
    ...['-c', 'user.name=Ann', '-c', 'user.email=ann@example.com'],
    ...['commit-tree', top.trim(), '-m', 'x'],
  ]);
  await git.git('team/one', ['update-ref', 'refs/heads/evil', made.trim()]);
  const { report } = await reportAddress(admin, { address: git.url('team/one'), ref: 'evil' });
  expect(report.skills.map(({ folder }) => folder)).toEqual(['good']);
  expect(report.leftOut).toEqual([{ path: 'a/.git/', files: 1, why: 'tool-folder' }]);
});

test(
  'refuses a repository with too many files',
  async () => {
    const { git, admin } = await start();
    await commitTwo(git);
    const tree = (entries: string) => git.git('team/one', ['mktree', '--missing'], entries);
    const publish = async (branch: string, top: string) => {
      const made = await git.git('team/one', [
        ...['-c', 'user.name=Ann', '-c', 'user.email=ann@example.com'],
        ...['commit-tree', top.trim(), '-m', 'x'],
      ]);
      await git.git('team/one', ['update-ref', `refs/heads/${branch}`, made.trim()]);
    };
    const list = (mode: string, kind: string, id: string, count: number, name = 'f') =>
      Array.from({ length: count }, (_, at) => `${mode} ${kind} ${id.trim()}\t${name}${at}\n`).join(
        '',
      );
    const small = await git.git('team/one', ['hash-object', '-w', '--stdin'], told('small'));
    const files = await tree(list('100644', 'blob', small, 600));
    await publish('many', await tree(list('040000', 'tree', files, 600)));
    const many = await problemOf(admin, { address: git.url('team/one'), ref: 'many' });
    expect(many).toMatchObject({ code: 'git-failed', fault: 'too-many-files' });
    expect(many.detail).toContain('more than 200000 files');
  },
  startsManyProcesses,
);

test(
  'rejects a skill with a file that is too large, and a repository that is',
  async () => {
    const { git, admin } = await start();
    const skills = { 'fine/SKILL.md': told('fine'), 'heavy/SKILL.md': told('heavy') };
    await git.commit('large', { ...skills, 'heavy/a.bin': Buffer.alloc(5e6) });
    const { report } = await reportAddress(admin, { address: git.url('large') });
    expect(report.skills.map(({ folder, accepted }) => [folder, accepted])).toEqual([
      ['fine', true],
      ['heavy', false],
    ]);
    // Git stores and sends it once.
    const same = Array.from(
      { length: 68 },
      (_, at) => [`fine/${at}.bin`, Buffer.alloc(4e6)] as const,
    );
    await git.commit('large', { ...skills, ...Object.fromEntries(same) });
    const large = await problemOf(admin, { address: git.url('large') });
    expect(large).toMatchObject({ code: 'git-failed', fault: 'too-large' });
    expect(large.detail).toContain('more than 256 MiB');
  },
  startsManyProcesses,
);

test('refuses paths that are too long or too deep, and reads a folder without them', async () => {
  const { git, admin } = await start();
  const skill = { 'skills/pdf/SKILL.md': told('pdf') };
  await git.commit('deep', { ...skill, [`${'a/'.repeat(200)}b`]: 'x' });
  await git.commit('long', { ...skill, [`${`${'x'.repeat(250)}/`.repeat(5)}b`]: 'x' });
  for (const name of ['deep', 'long']) {
    const address = git.url(name);
    const { fault, detail } = await problemOf(admin, { address });
    expect([fault, detail]).toEqual(['failed', expect.stringContaining('Name a folder')]);
    const { report } = await reportAddress(admin, { address, path: 'skills' });
    expect(names(report)).toEqual(['pdf']);
  }
});

test('says that a tag is no commit', async () => {
  const { git, admin } = await start();
  await commitTwo(git);
  await git.git('team/one', ['tag', 'words', 'main:README.md']);
  const { code, fault } = await problemOf(admin, { address: git.url('team/one'), ref: 'words' });
  expect([code, fault]).toEqual(['git-failed', 'failed']);
});

test('stops git when the reader goes away, and deletes the clone', async () => {
  const { git, admin, clones } = await start();
  await commitTwo(git);
  let isClosed = false;
  git.intercept = (request, response) => {
    const isHeld = request.method === 'POST';
    if (isHeld) {
      response.on('close', () => {
        isClosed = true;
      });
    }
    return isHeld;
  };
  const leave = new AbortController();
  const reading = readAddress(admin, { address: git.url('team/one') }, leave.signal);
  reading.catch(() => undefined);
  await waitFor(() => git.requests.some((line) => line.startsWith('POST')));
  expect(await readdir(clones)).toHaveLength(1);
  leave.abort();
  await waitFor(() => isClosed);
  await waitFor(async () => (await readdir(clones)).length === 0);
});

test('deletes at the start what a crash has left', async () => {
  const { server, clones } = await start();
  await server.close();
  await writeFiles(clones, { 'left/objects/pack/tmp_pack': 'x' });
  const next = await startTestServer({ folder: server.folder });
  onTestFinished(next.close);
  expect(existsSync(clones)).toBe(false);
});
