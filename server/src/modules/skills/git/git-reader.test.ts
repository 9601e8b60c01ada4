import { randomBytes } from 'node:crypto';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createGuardedFetch } from '../../../platform/lib/guarded-fetch.ts';
import { type GitServer, startGitServer, systemPath } from '../../../testing/git-server.ts';
import { skillFile } from '../../../testing/skill-folder.ts';
import { temporaryFolder, writeFiles } from '../../../testing/write-files.ts';
import { defaultSizeLimits } from '../archives/unpack-limits.ts';
import { parseGitAddress } from './git-address.ts';
import { type GitLimits, gitLimits } from './git-limits.ts';
import { createGitReader } from './git-reader.ts';

/** Reads a repository of a server within small limits. */
async function read(
  git: GitServer,
  limits: Partial<GitLimits>,
  variables: Record<string, string> = { PATH: systemPath },
  path?: string,
  known?: ReadonlyMap<string, string>,
) {
  const allowPrivate = () => ['127.0.0.1'];
  const guarded = createGuardedFetch({ allowPrivate });
  onTestFinished(guarded.close);
  const reader = createGitReader({
    directory: await temporaryFolder(),
    guarded,
    allowPrivate,
    sizeLimits: defaultSizeLimits,
    variables,
    limits: { ...gitLimits, ...limits },
  });
  const address = parseGitAddress(git.url('one'), path === undefined ? {} : { path });
  return reader.read(address, { signal: new AbortController().signal, known });
}

async function serve() {
  const git = await startGitServer();
  await git.commit('one', {
    'pdf/SKILL.md': skillFile('pdf', 'Reads PDF. Use when asked.'),
    'noise.bin': randomBytes(3_000_000),
  });
  return git;
}

const faultOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'none',
    ({ message, issues }) => `${issues?.[0]?.code}: ${message}`,
  );

test('gives up on a server that never answers', async () => {
  const git = await serve();
  git.intercept = () => true;
  expect(await faultOf(read(git, { firstByteMs: 200 }))).toMatch(
    /^too-slow: 127\.0\.0\.1:\d+ has not answered within 0\.2 seconds/,
  );
});

test('gives up on a server that stops answering', async () => {
  const git = await serve();
  git.intercept = ({ method }) => method === 'POST';
  expect(await faultOf(read(git, { totalMs: 1500 }))).toMatch(
    /^too-slow: Reading the repository took more than 1\.5 seconds/,
  );
});

test('fetches only the files of skills', async () => {
  const git = await serve();
  const { skills } = await read(git, { diskBytes: 1_000_000 });
  expect(skills.map(({ root }) => root)).toEqual(['pdf']);
  expect(await faultOf(read(git, { bytes: 20 }))).toMatch(/^too-large: The skills have more than/);
});

test('does not read a skill that has not changed', async () => {
  const git = await serve();
  const { trees } = await read(git, {});
  expect([...trees.keys()]).toEqual(['pdf']);
  const again = await read(git, {}, undefined, undefined, trees);
  expect(again.skills).toEqual([]);
  expect(again.unchanged).toEqual(trees);
  await git.commit('one', { 'pdf/SKILL.md': skillFile('pdf', 'Reads all PDF. Use when asked.') });
  const changed = await read(git, {}, undefined, undefined, trees);
  expect(changed.skills.map(({ root }) => root)).toEqual(['pdf']);
});

test('gives up on a repository with too many files, and reads a folder of it', async () => {
  const git = await startGitServer();
  const many = Array.from({ length: 30 }, (_, at) => [`pdf/${at}.md`, `${at}`]);
  const files = { 'pdf/SKILL.md': skillFile('pdf', 'Reads PDF.'), ...Object.fromEntries(many) };
  await git.commit('one', { ...files, 'small/SKILL.md': skillFile('small', 'Is small.') });
  const tooMany = (max: number) =>
    `too-many-files: There are more than ${max} files. Name a folder of the repository.`;
  expect(await faultOf(read(git, { treeFiles: 20 }))).toBe(tooMany(20));
  expect(await faultOf(read(git, { files: 20 }))).toBe(tooMany(20));
  expect((await read(git, { treeFiles: 32, files: 32 })).skills).toHaveLength(2);
  const { skills } = await read(git, { treeFiles: 20, files: 20 }, undefined, 'small');
  expect(skills).toHaveLength(1);
});

test('gives up on a repository that needs too much disk space', async () => {
  const git = await serve();
  // Such a server sends all contents.
  await git.git('one', ['config', 'uploadpack.allowFilter', 'false']);
  const { skills } = await read(git, {});
  expect(skills.map(({ root }) => root)).toEqual(['pdf']);
  expect(await faultOf(read(git, { diskBytes: 1_000_000 }))).toMatch(
    /^too-large: The repository needs more than/,
  );
});

test.skipIf(process.platform !== 'linux')(
  'gives up on a server that sends refs without end',
  async () => {
    const git = await serve();
    git.intercept = ({ method }, response) => {
      if (method === 'POST') {
        response.writeHead(200, { 'content-type': 'application/x-git-upload-pack-result' });
        const line = `${'a'.repeat(40)} refs/heads/${'b'.repeat(940)}\n`;
        const packet = (line.length + 4).toString(16).padStart(4, '0') + line;
        const packets = packet.repeat(1000);
        const send = () => {
          while (!response.destroyed && response.write(packets));
        };
        response.on('drain', send);
        send();
      }
      return method === 'POST';
    };
    expect(await faultOf(read(git, { memoryBytes: 64 * 1024 * 1024 }))).toBe(
      'too-large: Reading the repository needs more than 64 MiB of memory. Name a smaller repository.',
    );
  },
);

test('says what to install without git, or with an old one', async () => {
  const git = await serve();
  const programs = await temporaryFolder();
  expect(await faultOf(read(git, {}, { PATH: programs }))).toMatch(
    /^no-git: The server has no git\. Install/,
  );
  await writeFiles(programs, { git: '#!/bin/sh\necho git version 2.30.1\n' });
  await chmod(join(programs, 'git'), 0o755);
  expect(await faultOf(read(git, {}, { PATH: programs }))).toMatch(
    /^no-git: The server has git 2\.30\. Install git 2\.39 or newer/,
  );
});
