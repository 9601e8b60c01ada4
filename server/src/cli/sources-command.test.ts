import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemPath } from '../testing/git-server.ts';
import { hasSshKeygen } from '../testing/openssh.ts';
import { runCommand } from '../testing/run-command.ts';
import { createSigner } from '../testing/signed-commits.ts';
import { keysOf, sourceSkill, startGitSources } from '../testing/start-git-sources.ts';
import { createTestDatabase } from '../testing/test-database.ts';

async function start() {
  const started = await startGitSources();
  const place = await createTestDatabase(join(started.server.folder, 'data'));
  const installation = () => ({
    contentsDirectory: started.folder,
    ...place,
    skillsExtraDirectories: [],
    skillsExtraRecursive: [],
    adminPassword: undefined,
    variables: { PATH: systemPath },
    version: '1',
  });
  const run = (command: string) => runCommand(command.split(' '), { installation });
  return { ...started, run };
}

test('lists sources with their commit, changes and errors while the server runs', {
  timeout: 90_000,
}, async () => {
  const { git, create, sync, run } = await start();
  expect((await run('sources')).out).toBe('There are no sources. Add one on /admin/sources.');
  const commit = await git.commit('team', { 'pdf/SKILL.md': sourceSkill('pdf') });
  await create({ id: 'team', url: git.url('team') });
  await create({ id: 'gone', url: git.url('gone') });
  await create({ id: 'fresh', url: 'owner/repo' });
  await sync('team');
  await expect(sync('gone')).rejects.toThrow();
  const { code, out, error } = await run('sources');
  expect([code, error]).toEqual([0, '']);
  const lines = out.split('\n').map((line) => line.split(/ {2,}/));
  expect(lines[1]?.slice(0, 3)).toEqual(['team', expect.any(String), commit.slice(0, 10)]);
  expect(lines[1]?.slice(3)).toEqual([expect.stringMatching(/^\d{4}-.*Z$/), '0', '1', '']);
  expect(lines[2]?.at(-1)).toContain('has no repository');
  expect(lines[3]).toEqual(expect.arrayContaining(['fresh', 'owner/repo', '–', 'never']));
  expect(JSON.parse((await run('sources --json')).out)[0]).toMatchObject({ id: 'team', commit });
});

test('syncs a source, prints its changes, and installs nothing', { timeout: 90_000 }, async () => {
  const { git, create, list, proposal, take, isOn, run } = await start();
  const files = {
    'skills/pdf/SKILL.md': sourceSkill('pdf'),
    'skills/meeting-notes/SKILL.md': sourceSkill('meeting-notes'),
    'skills/bad/SKILL.md': 'No frontmatter.',
  };
  const commit = await git.commit('team', files);
  await create({ id: 'team', url: git.url('team') });
  const first = await run('sources sync team');
  expect(first).toMatchObject({ code: 0, error: '' });
  expect(first.out).toContain(`Commit ${commit} of ${git.url('team')}`);
  expect(first.out).toMatch(/^added +pdf +skills\/pdf *$/m);
  expect(first.out).toMatch(/^added +meeting-notes +\S+ +another skill has this name$/m);
  expect(first.out).toMatch(/^added +bad +\S+ +has errors, and cannot be taken$/m);
  expect(first.out).toContain('2 changes to take. Take them on /admin/sources/team.');
  expect((await list()).items[0]?.state).toMatchObject({ commit, pending: 2, skills: 0 });
  const again = await run('sources sync team');
  expect(again.out).toContain('It was seen before.\n2 changes to take.');
  await take(
    'team',
    keysOf(await proposal('team')).filter((key) => key.includes(':pdf:')),
  );
  expect(await isOn('pdf')).toBe(true);
  await git.commit('team', { ...files, 'skills/pdf/SKILL.md': sourceSkill('pdf', 'Two.\n') });
  expect((await run('sources sync team')).out).toMatch(/^changed +pdf/m);
});

test('exits with 1 if a repository cannot be read, and with 2 for wrong usage', async () => {
  const { git, create, list, run } = await start();
  await create({ id: 'team', url: git.url('gone') });
  const failed = await run('sources sync team');
  expect(failed).toMatchObject({ code: 1, out: '' });
  expect(failed.error).toContain('has no repository');
  expect((await list()).items[0]?.state.error).toContain('has no repository');
  const unknown = await run('sources sync none');
  expect(unknown).toMatchObject({ code: 2 });
  expect(unknown.error).toContain('There is no source "none". There are: team.');
  expect((await run('sources sync')).code).toBe(2);
  expect((await run('sources delete team')).code).toBe(2);
});

test.runIf(hasSshKeygen)('says that the commit of a source is not signed', async () => {
  const { git, create, run } = await start();
  const { publicKey } = await createSigner();
  await git.commit('team', { 'pdf/SKILL.md': sourceSkill('pdf') });
  const requireSigned = { signers: [`ann ${publicKey}`] };
  await create({ id: 'team', url: git.url('team'), requireSigned });
  const synced = await run('sources sync team');
  expect([synced.code, synced.error]).toEqual([1, expect.stringContaining('no SSH signature')]);
  expect((await run('sources')).out).toContain('has no SSH signature');
});
