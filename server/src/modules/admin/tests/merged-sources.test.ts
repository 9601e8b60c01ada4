import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { skillVersionsApi } from '@knowhow/shared/skills/skill-versions';
import { expect, test, vi } from 'vitest';
import { exportBackup, importBackup } from '../../../testing/backup-calls.ts';
import { parseAnswer, parseProblem } from '../../../testing/parse-answer.ts';
import {
  jobsOnDemand,
  keysOf,
  sourceSkill,
  sourcesPath,
  startGitSources,
} from '../../../testing/start-git-sources.ts';
import { waitFor } from '../../../testing/wait-for.ts';

/** Timeout in milliseconds. */
const startsManyProcesses = 180_000;

const lines = (...texts: string[]) => `${texts.join('\n')}\n`;
const both = (name: string, first: string, last: string) =>
  sourceSkill(name, lines(first, 'two', 'three', 'four', last));

/** A server with a skill of a source that was changed there and here. */
async function startEdited(options: Parameters<typeof startGitSources>[0] = {}, more = {}) {
  const started = await startGitSources(options);
  const { git, create, sync, proposal, take, write, folder } = started;
  const binary = (byte: number) => new Uint8Array([0, byte]);
  const before = {
    'kept.md': 'x',
    'theirs.md': 'x',
    'ours.md': 'x',
    'alike.md': 'x',
    'gone.md': 'x',
  };
  const commit = (files: Record<string, string | Uint8Array>) =>
    git.commit(
      'team',
      Object.fromEntries(Object.entries(files).map(([path, file]) => [`pdf/${path}`, file])),
    );
  await commit({ ...before, 'SKILL.md': both('pdf', 'one', 'five'), 'a.bin': binary(1) });
  await create({ id: 'team', url: git.url('team'), ...more });
  await sync('team');
  if ((await proposal('team')).changes.length > 0) {
    await take('team', keysOf(await proposal('team')));
  }
  await write('pdf', 'SKILL.md', both('pdf', 'ONE', 'five'));
  await write('pdf', 'ours.md', 'here');
  await write('pdf', 'alike.md', 'alike');
  const changed = {
    ...{ 'SKILL.md': both('pdf', 'one', 'FIVE'), 'kept.md': 'x', 'theirs.md': 'there' },
    ...{ 'ours.md': 'x', 'alike.md': 'alike', 'a.bin': binary(1) },
  };
  await commit(changed);
  const readHere = (path: string) => readFile(join(folder, 'skills/pdf', path), 'utf8');
  return { ...started, binary, commit, changed, readHere };
}

test(
  'shows a skill that was edited here file by file, and takes the merge',
  async () => {
    const started = await startEdited();
    const { admin, sync, proposal, filesOf, take, write, commit, changed, readHere } = started;
    expect((await sync('team')).state).toMatchObject({ pending: 1, edited: 1 });
    const [change] = (await proposal('team')).changes;
    const { key = '', merge: { checksum = '' } = {} } = change ?? {};
    const summary = { hasBase: true, files: 5, conflicts: 0 };
    expect(change).toMatchObject({ conflict: 'edited', merge: summary });
    const shown = (await filesOf('team', { key })).merge;
    expect(shown?.unchanged).toBe(2);
    expect(shown?.files.map(({ path, state }) => [path, state])).toEqual([
      ['SKILL.md', 'merged'],
      ['alike.md', 'same'],
      ['gone.md', 'theirs'],
      ['ours.md', 'ours'],
      ['theirs.md', 'theirs'],
    ]);
    const [main] = shown?.files ?? [];
    expect(main?.theirs?.hunks?.[0]?.lines).toEqual(expect.arrayContaining(['-five', '+FIVE']));
    expect(main?.ours?.hunks?.[0]?.lines).toEqual(expect.arrayContaining(['-one', '+ONE']));
    const merge = { key, checksum, use: 'merge' };

    // Nothing is taken that the person has not seen.
    await write('pdf', 'late.md', 'late');
    const json = { take: [key], resolve: [merge] };
    const refused = await parseProblem(admin(`${sourcesPath}/team/proposal/apply`, { json }));
    expect(refused.code).toBe('conflict');
    const [again] = (await proposal('team')).changes;
    const { key: keyNow = '', merge: mergeNow } = again ?? {};
    const now = { ...merge, key: keyNow, checksum: mergeNow?.checksum };
    expect(await take('team', [keyNow], { resolve: [now] })).toEqual({
      ...{ installed: ['pdf'], switchedOff: [], kept: [], drafted: [] },
    });
    expect(await readHere('SKILL.md')).toBe(both('pdf', 'ONE', 'FIVE'));
    expect(await readHere('theirs.md')).toBe('there');
    expect(await readHere('ours.md')).toBe('here');
    expect(await readHere('late.md')).toBe('late');
    await expect(readHere('gone.md')).rejects.toThrow();
    expect((await sync('team')).state).toMatchObject({ pending: 0, edited: 0, skills: 1 });
    const versions = await parseAnswer(
      skillVersionsApi.list.response,
      admin('/api/skill-versions/pdf'),
    );
    expect(versions.items[0]).toMatchObject({ action: 'merged', origin: { kind: 'git' } });

    // The next merge begins with what was merged last, also from a backup.
    const backup = await exportBackup(admin, '?data=true');
    expect(await importBackup(admin, backup)).toMatchObject({ restored: true });
    await commit({ ...changed, 'SKILL.md': both('pdf', 'one', '5') });
    await sync('team');
    const [next] = (await proposal('team')).changes;
    const ofNext = await filesOf('team', { key: next?.key ?? '' });
    expect(ofNext.merge?.files.map(({ path, state }) => [path, state])).toEqual([
      ['SKILL.md', 'merged'],
      ['late.md', 'ours'],
      ['ours.md', 'ours'],
    ]);
  },
  startsManyProcesses,
);

test(
  'takes a side for each file that was changed in both',
  async () => {
    const started = await startEdited();
    const { admin, binary, sync, proposal, filesOf, take, write, commit, changed, readHere } =
      started;
    await write('pdf', 'theirs.md', 'conflict');
    await write('pdf', 'gone.md', 'still here');
    await commit({ ...changed, 'a.bin': binary(2), 'SKILL.md': both('pdf', 'Uno', 'five') });
    await sync('team');
    const [change] = (await proposal('team')).changes;
    const { key = '', merge: { checksum = '' } = {} } = change ?? {};
    expect(change?.merge).toMatchObject({ conflicts: 3 });
    const { files = [] } = (await filesOf('team', { key })).merge ?? {};
    const conflicts = files.filter(({ state }) => state === 'conflict').map(({ path }) => path);
    expect(conflicts).toEqual(['SKILL.md', 'gone.md', 'theirs.md']);
    const merge = { key, checksum, use: 'merge' };
    const json = { take: [key], resolve: [merge] };
    const open = await parseProblem(admin(`${sourcesPath}/team/proposal/apply`, { json }));
    expect(open.issues?.map(({ path }) => path)).toEqual(conflicts);
    const choices = { 'SKILL.md': 'theirs', 'gone.md': 'ours', 'theirs.md': 'ours' };
    const chosen = Object.entries(choices).map(([path, use]) => ({ path, use }));
    await take('team', [key], { resolve: [{ ...merge, files: chosen }] });
    expect(await readHere('SKILL.md')).toBe(both('pdf', 'Uno', 'five'));
    expect(await readHere('gone.md')).toBe('still here');
    expect(await readHere('theirs.md')).toBe('conflict');
    expect(await readHere('a.bin')).toBe('\0\u0002');
  },
  startsManyProcesses,
);

test(
  'keeps the files here, and compares the next change with what was seen',
  async () => {
    const started = await startEdited();
    const { admin, sync, proposal, filesOf, take, commit, changed, readHere } = started;
    await sync('team');
    const [change] = (await proposal('team')).changes;
    const { key = '', merge: { checksum = '' } = {} } = change ?? {};
    const resolve = [{ key, checksum, use: 'ours' }];
    const draft = { json: { take: [key], resolve, asDrafts: true } };
    const refused = await parseProblem(admin(`${sourcesPath}/team/proposal/apply`, draft));
    expect(refused).toMatchObject({
      ...{ code: 'conflict', detail: expect.stringContaining('without drafts') },
    });
    expect(await take('team', [key], { resolve })).toMatchObject({ installed: [], kept: ['pdf'] });
    expect(await readHere('SKILL.md')).toBe(both('pdf', 'ONE', 'five'));
    expect(await proposal('team')).toMatchObject({ changes: [] });
    expect(await (await admin('/api/admin/audit?kind=skill')).text()).toContain('"action":"kept"');
    await commit({ ...changed, 'theirs.md': 'newer' });
    await sync('team');
    const [next] = (await proposal('team')).changes;
    const ofNext = await filesOf('team', { key: next?.key ?? '' });
    const theirs = ofNext.merge?.files.find(({ path }) => path === 'theirs.md');
    expect(theirs).toMatchObject({ state: 'conflict', theirs: { change: 'changed' } });
  },
  startsManyProcesses,
);

test(
  'takes a merge that changes nothing here',
  async () => {
    const { admin, sync, proposal, take, write, commit, changed, readHere } = await startEdited();
    const own = both('pdf', 'ONE', 'five');
    await commit({ ...changed, 'SKILL.md': both('pdf', 'Uno', 'five') });
    await write('pdf', 'theirs.md', 'there');
    await admin('/api/admin/skills/pdf/files/gone.md', { method: 'DELETE' });
    await sync('team');
    const [change] = (await proposal('team')).changes;
    const { key = '', merge: { checksum = '' } = {} } = change ?? {};
    const files = [{ path: 'SKILL.md', use: 'ours' }];
    const resolve = [{ key, checksum, use: 'merge', files }];
    expect(await take('team', [key], { resolve })).toMatchObject({ installed: [], kept: ['pdf'] });
    expect(await readHere('SKILL.md')).toBe(own);
    expect((await sync('team')).state).toMatchObject({ pending: 0, edited: 0 });
  },
  startsManyProcesses,
);

test(
  'an automatic source leaves a skill that was edited here, and downloads its commit once',
  async () => {
    const { cluster, runJob } = jobsOnDemand();
    const source = { update: 'auto', schedule: 'hourly' };
    const { git, admin, sync, list, readHere, folder } = await startEdited({ cluster }, source);
    expect((await sync('team')).state).toMatchObject({ pending: 1, edited: 1 });
    expect(await readHere('SKILL.md')).toBe(both('pdf', 'ONE', 'five'));
    expect(await (await admin('/api/admin/faults')).text()).toContain('edited here');
    const later = Date.now() + 2 * 3_600_000;
    const clock = vi.spyOn(Date, 'now').mockReturnValue(later);
    git.requests.length = 0;
    await runJob('skill sources').finally(() => clock.mockRestore());
    // Each fetch is a POST after the one that lists refs.
    expect(git.requests.length).toBeGreaterThan(0);
    expect(git.requests.filter((line) => line.startsWith('POST')).length).toBeLessThan(2);
    expect((await list()).items[0]?.state).toMatchObject({ pending: 1, edited: 1 });
    // Another policy may let more pass.
    const publishing = { checks: { diagnostics: 'off' }, files: 'review' };
    await writeFile(
      join(folder, 'config/skills.json'),
      JSON.stringify({ settings: { publishing } }),
    );
    await waitFor(async () =>
      (await (await admin('/api/admin/status')).text()).includes('"files":"review"'),
    );
    git.requests.length = 0;
    vi.spyOn(Date, 'now').mockReturnValue(later + 2 * 3_600_000);
    await runJob('skill sources').finally(() => vi.restoreAllMocks());
    expect(git.requests.filter((line) => line.startsWith('POST')).length).toBeGreaterThan(1);
    // The reason that stopped it may be gone the next day.
    git.requests.length = 0;
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 25 * 3_600_000 });
    await runJob('skill sources').finally(() => vi.useRealTimers());
    expect(git.requests.filter((line) => line.startsWith('POST')).length).toBeGreaterThan(1);
  },
  startsManyProcesses,
);

test(
  'an automatic source neither overwrites nor drops a skill that was edited here and renamed there',
  async () => {
    const { git, sync, proposal, list, isOn, folder, readHere } = await startEdited(
      {},
      { update: 'auto' },
    );
    await git.commit('team', { 'papers/SKILL.md': both('papers', 'one', 'FIVE') });
    expect((await sync('team')).state).toMatchObject({ pending: 1, edited: 1 });
    expect(await readHere('SKILL.md')).toBe(both('pdf', 'ONE', 'five'));
    expect(await isOn('pdf')).toBe(true);
    expect(await readFile(join(folder, 'skills/papers/SKILL.md'), 'utf8')).toContain('FIVE');
    const [change] = (await proposal('team')).changes;
    expect(change).toMatchObject({ kind: 'removed', name: 'pdf', conflict: 'edited' });
    expect((await list()).items[0]?.state).toMatchObject({ skills: 2 });
  },
  startsManyProcesses,
);
