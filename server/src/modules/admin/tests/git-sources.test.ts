import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { skillDraftsApi } from '@knowhow/shared/skills/skill-drafts';
import { skillSourcesApi } from '@knowhow/shared/skills/skill-sources';
import { expect, test } from 'vitest';
import { exportBackup, importBackup } from '../../../testing/backup-calls.ts';
import { parseAnswer, parseProblem } from '../../../testing/parse-answer.ts';
import { signInNew } from '../../../testing/rights-chat.ts';
import {
  filesPath,
  jobsOnDemand,
  keysOf,
  sourceSkill,
  sourcesPath,
  startGitSources,
} from '../../../testing/start-git-sources.ts';
import { waitFor } from '../../../testing/wait-for.ts';

/** Timeout in milliseconds. */
const startsManyProcesses = 90_000;

const at = sourcesPath;

test(
  'proposes what changed in a repository, and takes what is chosen',
  async () => {
    const { git, folder, create, sync, proposal, filesOf, take, isOn } = await startGitSources();
    const first = await git.commit('team', {
      'skills/pdf/SKILL.md': sourceSkill('pdf'),
      'skills/letters/SKILL.md': sourceSkill('letters'),
      'skills/old/SKILL.md': sourceSkill('old'),
    });
    await create({ id: 'team', url: git.url('team') });
    expect((await sync('team')).state).toMatchObject({ commit: first, pending: 3, skills: 0 });
    const added = await proposal('team');
    expect(added.commit?.commit).toBe(first);
    expect(added.changes.map(({ kind, name, path }) => [kind, name, path])).toEqual([
      ['added', 'letters', 'skills/letters'],
      ['added', 'old', 'skills/old'],
      ['added', 'pdf', 'skills/pdf'],
    ]);
    expect(await take('team', keysOf(added))).toEqual({
      installed: ['letters', 'old', 'pdf'],
      switchedOff: [],
      kept: [],
      drafted: [],
    });
    expect((await sync('team')).state).toMatchObject({ pending: 0, skills: 3 });

    await git.commit('team', {
      'skills/pdf/SKILL.md': sourceSkill('pdf', 'Two.\n'),
      'moved/letters/SKILL.md': sourceSkill('letters'),
      'skills/fresh/SKILL.md': sourceSkill('fresh'),
    });
    expect((await sync('team')).state.pending).toBe(4);
    const { changes } = await proposal('team');
    expect(changes.map(({ kind, name, pathBefore }) => [kind, name, pathBefore])).toEqual([
      ['renamed', 'letters', 'skills/letters'],
      ['added', 'fresh', undefined],
      ['changed', 'pdf', undefined],
      ['removed', 'old', undefined],
    ]);
    expect(changes.map(({ description }) => description)).toEqual(
      changes.map(({ name }) => `Does ${name}. Use when asked.`),
    );
    const [, , pdf, old] = changes;
    expect([pdf?.changedFiles, pdf?.newFiles, old?.changedFiles]).toEqual([
      1,
      undefined,
      undefined,
    ]);
    const files = (await filesOf('team', pdf ?? { key: '' })).changes;
    expect(files[0]?.hunks?.[0]?.lines).toEqual(expect.arrayContaining(['-One.', '+Two.']));
    const chosen = changes.filter(({ name }) => name !== 'fresh').map(({ key }) => key);
    expect(await take('team', chosen)).toEqual({
      installed: ['pdf'],
      switchedOff: ['old'],
      kept: [],
      drafted: [],
    });
    expect(await readFile(join(folder, 'skills/pdf/SKILL.md'), 'utf8')).toContain('Two.');
    expect([await isOn('old'), await isOn('pdf')]).toEqual([false, true]);
    expect(keysOf(await proposal('team'))).toEqual([
      expect.stringMatching(/^added:fresh:skills\/fresh:/),
    ]);
  },
  startsManyProcesses,
);

test(
  'takes nothing that was changed after it was shown, there or here',
  async () => {
    const { git, admin, folder, create, sync, proposal, take, write, isOn } =
      await startGitSources();
    const commit = (body: string) =>
      git.commit('team', { 'pdf/SKILL.md': sourceSkill('pdf', body) });
    const takeSeen = async (keys: string[]) =>
      (await parseProblem(admin(`${at}/team/proposal/apply`, { json: { take: keys } }))).code;
    await commit('One.\n');
    await create({ id: 'team', url: git.url('team') });
    await sync('team');
    await take('team', keysOf(await proposal('team')));

    await commit('Two.\n');
    await sync('team');
    const two = keysOf(await proposal('team'));
    await commit('Three.\n');
    await sync('team');
    expect(await takeSeen(two)).toBe('conflict');
    const three = keysOf(await proposal('team'));
    await write('pdf', 'own.md', 'Own.');
    expect(await takeSeen(three)).toBe('conflict');
    expect(await readFile(join(folder, 'skills/pdf/SKILL.md'), 'utf8')).toContain('One.');

    await git.commit('team', { 'letters/SKILL.md': sourceSkill('letters') });
    await sync('team');
    const gone = keysOf(await proposal('team'));
    await write('pdf', 'own.md', 'Newer.');
    expect(await takeSeen(gone)).toBe('conflict');
    expect(await isOn('pdf')).toBe(true);
    expect(await take('team', keysOf(await proposal('team')))).toMatchObject({
      switchedOff: ['pdf'],
    });
  },
  startsManyProcesses,
);

test(
  'shows the files of a change before it is taken, and only as it is proposed',
  async () => {
    const { git, admin, create, sync, proposal, filesOf, take, write } = await startGitSources();
    const files = { 'pdf/SKILL.md': sourceSkill('pdf'), 'pdf/LICENSE': 'Free.\n' };
    await git.commit('team', files);
    await create({ id: 'team', url: git.url('team') });
    await sync('team');
    const proposed = await proposal('team');
    expect(proposed.changes.map(({ name, newFiles }) => [name, newFiles])).toEqual([['pdf', 2]]);
    const [added = ''] = keysOf(proposed);
    const refusalOf = (key: string) => parseProblem(admin(filesPath('team', key)));
    const { changes } = await filesOf('team', { key: added });
    expect(changes.map(({ path, change }) => [path, change])).toEqual([
      ['SKILL.md', 'added'],
      ['LICENSE', 'added'],
    ]);
    expect(changes[0]?.hunks?.[0]?.lines).toContain('+One.');
    const unknown = await refusalOf('added:other:other:0');
    expect([unknown.code, unknown.detail]).toEqual([
      'conflict',
      expect.stringContaining('Load the proposal again.'),
    ]);
    expect((await refusalOf('x'.repeat(1401))).code).toBe('invalid-request');

    // Another commit was read since.
    await git.commit('team', { 'pdf/SKILL.md': sourceSkill('pdf', 'Two.\n') });
    await sync('team');
    expect((await refusalOf(added)).code).toBe('conflict');
    await take('team', keysOf(await proposal('team')));
    await git.commit('team', { 'pdf/SKILL.md': sourceSkill('pdf', 'Three.\n') });
    await sync('team');
    const [change] = (await proposal('team')).changes;
    expect(change).toMatchObject({ kind: 'changed', changedFiles: 1 });
    expect(change?.newFiles).toBeUndefined();

    // The skill was edited here since.
    await write('pdf', 'own.md', 'Own.');
    expect((await refusalOf(change?.key ?? '')).code).toBe('conflict');
    const [edited] = (await proposal('team')).changes;
    expect(await filesOf('team', { key: edited?.key ?? '' })).toMatchObject({
      changes: [],
      merge: { files: [{ path: 'SKILL.md' }, { path: 'own.md' }] },
    });
  },
  startsManyProcesses,
);

test('says why a skill cannot be taken, and cuts long descriptions', async () => {
  const { git, create, sync, proposal, filesOf } = await startGitSources();
  const wordy = sourceSkill('wordy').replace('Use when asked.', 'Word. '.repeat(300));
  await git.commit('team', {
    'bad/SKILL.md': 'No frontmatter.',
    'good/SKILL.md': sourceSkill('good'),
    'wordy/SKILL.md': wordy,
  });
  await create({ id: 'team', url: git.url('team') });
  await sync('team');
  const [bad, good, long] = (await proposal('team')).changes;
  expect(bad).toMatchObject({ accepted: false, description: 'No frontmatter.' });
  expect(bad?.diagnostics.length).toBeGreaterThan(0);
  expect(good).toMatchObject({
    accepted: true,
    description: 'Does good. Use when asked.',
    diagnostics: [],
  });
  expect(long?.description.length).toBe(1024);
  const { diagnostics } = await filesOf('team', { key: bad?.key ?? '' });
  expect(diagnostics).toEqual(bad?.diagnostics);
});

test('rejects an address with a fragment', async () => {
  const { admin } = await startGitSources();
  const refused = await parseProblem(admin(at, { json: { id: 'x', url: 'https://a.b/c/d#v1' } }));
  expect(refused).toMatchObject({ code: 'invalid-request', issues: [{ path: 'url' }] });
});

test('names the host once if it does not answer', async () => {
  const { admin, create } = await startGitSources();
  await create({ id: 'team', url: 'http://127.0.0.1:1/team' });
  const closed = await parseProblem(admin(`${at}/team/sync`, { method: 'POST' }));
  expect(closed.detail).toBe(
    '127.0.0.1:1 does not answer: bad port. Check the address and the network of the server.',
  );
});

test('takes folders and patterns of a source only', async () => {
  const { git, create, sync, proposal } = await startGitSources();
  await git.commit('team', {
    'a/one/SKILL.md': sourceSkill('one'),
    'a/one-draft/SKILL.md': sourceSkill('one-draft'),
    'b/two/SKILL.md': sourceSkill('two'),
    'c/three/SKILL.md': sourceSkill('three'),
  });
  const filters = { paths: ['a', 'b/'], include: ['*o*'], exclude: ['*-draft'] };
  await create({ id: 'team', url: git.url('team'), ...filters });
  await sync('team');
  expect((await proposal('team')).changes.map(({ name }) => name)).toEqual(['one', 'two']);
});

test(
  'an automatic source installs what needs no decision',
  async () => {
    const { git, create, sync, proposal, write, isOn } = await startGitSources();
    await git.commit('team', {
      'skills/pdf/SKILL.md': sourceSkill('pdf'),
      'skills/meeting-notes/SKILL.md': sourceSkill('meeting-notes'),
      'skills/bad/SKILL.md': 'No frontmatter.',
    });
    await create({ id: 'team', url: git.url('team'), update: 'auto' });
    expect((await sync('team')).state).toMatchObject({ pending: 1, skills: 1 });
    expect(await isOn('pdf')).toBe(true);
    const first = await proposal('team');
    expect(first.changes.map(({ name, conflict, accepted }) => [name, conflict, accepted])).toEqual(
      [
        ['bad', undefined, false],
        ['meeting-notes', 'name-taken', true],
      ],
    );

    // A skill that was edited here is not overwritten.
    await write('pdf', 'own.md', 'Own.');
    await git.commit('team', { 'skills/pdf/SKILL.md': sourceSkill('pdf', 'Two.\n') });
    await sync('team');
    const { changes } = await proposal('team');
    expect(changes.find(({ name }) => name === 'pdf')).toMatchObject({ conflict: 'edited' });
  },
  startsManyProcesses,
);

test(
  'an automatic source switches off no skill that was edited here',
  async () => {
    const { git, create, sync, proposal, take, write, isOn } = await startGitSources();
    await git.commit('team', {
      'pdf/SKILL.md': sourceSkill('pdf'),
      'old/SKILL.md': sourceSkill('old'),
    });
    await create({ id: 'team', url: git.url('team'), update: 'auto' });
    await sync('team');
    await write('pdf', 'own.md', 'Own.');
    await write('old', 'own.md', 'Own.');
    await git.commit('team', { 'letters/SKILL.md': sourceSkill('letters') });
    expect((await sync('team')).state).toMatchObject({ pending: 2, edited: 2 });
    expect([await isOn('pdf'), await isOn('old')]).toEqual([true, true]);
    const proposed = await proposal('team');
    expect(proposed.changes.map(({ kind, conflict }) => [kind, conflict])).toEqual([
      ['removed', 'edited'],
      ['removed', 'edited'],
    ]);
    // A person may decide otherwise.
    expect(await take('team', keysOf(proposed))).toMatchObject({ switchedOff: ['old', 'pdf'] });
  },
  startsManyProcesses,
);

test(
  'downloads nothing while the commit and the source are the same',
  async () => {
    const { git, admin, create, sync, proposal } = await startGitSources();
    const files = { 'pdf/SKILL.md': sourceSkill('pdf'), 'drafts/one/SKILL.md': sourceSkill('one') };
    const commit = await git.commit('team', files);
    const by = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.com'];
    await git.git('team', [...by, 'tag', '--annotate', '--message=One', 'v1', 'main']);
    const sources = { main: 'main', tag: 'v1', head: undefined, number: commit };
    for (const [id, ref] of Object.entries(sources)) {
      await create({ id, url: git.url('team'), ...(ref ? { ref } : {}) });
      const first = (await sync(id)).state;
      expect(first).toMatchObject({ commit, pending: 2 });
      git.requests.length = 0;
      const again = (await sync(id)).state;
      expect(again).toEqual({ ...first, syncedAt: expect.any(String) });
      expect(again.syncedAt).not.toBe(first.syncedAt);
      // Each fetch is a POST after the one that lists refs.
      expect(git.requests.filter((line) => line.startsWith('POST')).length).toBeLessThan(2);
    }
    expect((await proposal('main')).changes.map(({ name }) => name)).toEqual(['one', 'pdf']);

    // Another selection of the same commit proposes something else.
    const changed = admin(`${at}/main`, { method: 'PATCH', json: { exclude: ['drafts/*'] } });
    const { state } = await parseAnswer(skillSourcesApi.update.response, changed);
    expect(state).toEqual({ pending: 0, edited: 0, skills: 0, needsReview: false });
    expect((await sync('main')).state.pending).toBe(1);
    await git.commit('team', { ...files, 'fresh/SKILL.md': sourceSkill('fresh') });
    expect((await sync('main')).state.pending).toBe(2);
    expect((await sync('tag')).state.pending).toBe(2);
  },
  startsManyProcesses,
);

test('an automatic source leaves a proposal while changes need a review', async () => {
  const publishing = { mode: 'review' };
  const { cluster, runJob } = jobsOnDemand();
  const { git, create, sync, proposal, list, take } = await startGitSources({
    cluster,
    files: { 'config/skills.json': { settings: { publishing } } },
  });
  await git.commit('team', { 'pdf/SKILL.md': sourceSkill('pdf') });
  await create({ id: 'team', url: git.url('team'), update: 'auto', schedule: 'hourly' });
  await runJob('skill sources');
  const [item] = (await list()).items;
  expect(item?.state).toMatchObject({ pending: 1, skills: 0, needsReview: true });
  expect(item?.state.error).toBeUndefined();
  expect(await take('team', keysOf(await proposal('team')))).toMatchObject({ installed: ['pdf'] });
  // An administrator who may publish starts the sync: nothing else has to be approved.
  await git.commit('team', { 'pdf/SKILL.md': sourceSkill('pdf', 'Two.\n') });
  expect((await sync('team')).state).toMatchObject({ pending: 0, skills: 1 });
});

test('an automatic source takes changes of categories that need no review', async () => {
  const publishing = { byCategory: { hr: { mode: 'review', fourEyes: true } } };
  const { cluster, runJob } = jobsOnDemand();
  const { git, create, sync, proposal, list } = await startGitSources({
    cluster,
    files: { 'config/skills.json': { settings: { publishing } } },
  });
  const inHr = sourceSkill('pay').replace('\n---\n', '\ncategory: HR\n---\n');
  await git.commit('team', { 'pdf/SKILL.md': sourceSkill('pdf'), 'pay/SKILL.md': inHr });
  await create({ id: 'team', url: git.url('team'), update: 'auto', schedule: 'hourly' });
  await runJob('skill sources');
  expect((await list()).items[0]?.state).toMatchObject({
    pending: 1,
    skills: 1,
    needsReview: false,
  });
  expect((await proposal('team')).changes.map(({ name }) => name)).toEqual(['pay']);
  // Neither does a move to the category evade it.
  const moved = sourceSkill('pdf').replace('\n---\n', '\ncategory: HR\n---\n');
  await git.commit('team', { 'pdf/SKILL.md': moved, 'pay/SKILL.md': inHr });
  expect((await sync('team')).state).toMatchObject({ pending: 2, skills: 1 });
  expect((await proposal('team')).changes.map(({ name }) => name)).toEqual(['pay', 'pdf']);
});

test('saves changes as drafts where a second person has to approve them', async () => {
  const publishing = { mode: 'review', fourEyes: true };
  const { git, server, admin, create, sync, proposal, take } = await startGitSources({
    files: { 'config/skills.json': { settings: { publishing } } },
  });
  const commit = (body: string) => git.commit('team', { 'pdf/SKILL.md': sourceSkill('pdf', body) });
  await commit('One.\n');
  await create({ id: 'team', url: git.url('team') });
  await sync('team');
  const keys = keysOf(await proposal('team'));
  const json = { take: keys };
  const refused = await parseProblem(admin(`${at}/team/proposal/apply`, { json }));
  expect(refused.code).toBe('review-required');
  expect(await take('team', keys, { asDrafts: true })).toMatchObject({
    installed: [],
    drafted: ['pdf'],
  });
  const again = { json: { ...json, asDrafts: true } };
  const taken = await parseProblem(admin(`${at}/team/proposal/apply`, again));
  expect(taken).toMatchObject({ code: 'conflict', detail: expect.stringContaining('pdf') });

  const submitted = { json: { message: 'From the repository.' } };
  const review = await parseAnswer(
    skillDraftsApi.submit.response,
    admin('/api/skill-drafts/pdf/submit', submitted),
  );
  const rita = { username: 'rita', groups: ['admins'] };
  const { visitor: second } = await signInNew(server, admin, rita);
  const approval = { json: { comment: '' } };
  const approved = await second(`/api/skill-reviews/${review.id}/approve`, approval);
  expect(approved.status).toBe(200);
  // It is published: taking it records where it is from, and needs no further review.
  expect(await take('team', keysOf(await proposal('team')))).toMatchObject({ installed: [] });
  expect((await sync('team')).state).toMatchObject({ pending: 0, skills: 1 });

  await git.commit('team', { 'letters/SKILL.md': sourceSkill('letters') });
  await sync('team');
  const removed = { json: { take: keysOf(await proposal('team')), asDrafts: true } };
  const gone = await parseProblem(admin(`${at}/team/proposal/apply`, removed));
  expect(gone.detail).toContain('cannot be saved as a draft');
});

test('sends credentials to their host only', async () => {
  const headers: (string | undefined)[] = [];
  const { git, admin, create } = await startGitSources({
    environment: { SKILL_SOURCE_TEAM: '127.0.0.1:1 ann:secret' },
  });
  await git.commit('team', { 'pdf/SKILL.md': sourceSkill('pdf') });
  git.intercept = (request, response) => {
    headers.push(request.headers.authorization);
    const isMissing = request.headers.authorization === undefined;
    if (isMissing) {
      response.writeHead(401).end();
    }
    return isMissing;
  };
  const credentials = { variable: 'SKILL_SOURCE_TEAM' };
  await create({ id: 'team', url: git.url('team'), credentials });
  const refused = await parseProblem(admin(`${at}/team/sync`, { method: 'POST' }));
  expect(refused.detail).toContain('are for another host');
  expect(refused.detail).not.toContain('secret');
  const other = await parseProblem(
    admin(at, { json: { id: 'x', url: 'a/b', credentials: { variable: 'SECRET_KEY' } } }),
  );
  expect(other.code).toBe('invalid-request');

  const own = await startGitSources({
    environment: { SKILL_SOURCE_TEAM: `127.0.0.1:${git.port} ann:secret` },
  });
  await own.create({ id: 'team', url: git.url('team'), credentials });
  headers.length = 0;
  expect((await own.sync('team')).state.pending).toBe(1);
  expect(new Set(headers)).toEqual(new Set([`Basic ${btoa('ann:secret')}`]));
});

test('is synced by one node at a time, and reports why a sync failed', async () => {
  const { git, admin, create, list } = await startGitSources();
  await git.commit('team', { 'pdf/SKILL.md': sourceSkill('pdf') });
  await create({ id: 'team', url: git.url('team') });
  const held: ServerResponse[] = [];
  git.intercept = (_request, response) => {
    held.push(response);
    return true;
  };
  const first = admin(`${at}/team/sync`, { method: 'POST' });
  await waitFor(() => git.requests.length === 1);
  const second = await parseProblem(admin(`${at}/team/sync`, { method: 'POST' }));
  expect(second).toMatchObject({ code: 'conflict' });
  expect(second.detail).toContain('is being synced');
  held[0]?.writeHead(404).end();
  expect((await parseProblem(first)).code).toBe('git-failed');
  const [item] = (await list()).items;
  expect(item?.state.error).toContain('has no repository');
});

test(
  'is created, changed and deleted, and its skills stay',
  async () => {
    const { git, admin, folder, create, sync, proposal, take, list, isOn } =
      await startGitSources();
    await git.commit('team', { 'pdf/SKILL.md': sourceSkill('pdf') });
    await create({ id: 'team', url: git.url('team'), ref: 'main' });
    const again = await parseProblem(admin(at, { json: { id: 'team', url: 'a/b' } }));
    expect(again.code).toBe('name-taken');
    const wrong = await parseProblem(admin(at, { json: { id: 'x', url: 'file:///etc' } }));
    expect(wrong.code).toBe('invalid-request');
    await sync('team');
    await take('team', keysOf(await proposal('team')));
    const changed = await admin(`${at}/team`, {
      method: 'PATCH',
      json: { ref: null, schedule: 'daily' },
    });
    expect(changed.status).toBe(200);
    const file = JSON.parse(await readFile(join(folder, 'config/skill-sources.json'), 'utf8'));
    expect(file.sources).toEqual([
      { id: 'team', url: git.url('team'), schedule: 'daily', update: 'review' },
    ]);
    const [item] = (await list()).items;
    const headers = { 'If-Match': `"${item?.checksum}"` };
    const change = (schedule: string) =>
      admin(`${at}/team`, { method: 'PATCH', json: { schedule }, headers });
    expect((await change('weekly')).status).toBe(200);
    expect((await parseProblem(change('never'))).code).toBe('changed-meanwhile');
    expect((await list()).items[0]?.source.schedule).toBe('weekly');
    expect((await admin(`${at}/team`, { method: 'DELETE' })).status).toBe(204);
    expect((await list()).items).toEqual([]);
    expect(await isOn('pdf')).toBe(true);
    expect((await admin(`${at}/team`)).status).toBe(404);
  },
  startsManyProcesses,
);

test(
  'is in backups with what was taken from it',
  async () => {
    const { git, admin, create, sync, proposal, take, list } = await startGitSources();
    await git.commit('team', { 'pdf/SKILL.md': sourceSkill('pdf') });
    await create({ id: 'team', url: git.url('team') });
    await sync('team');
    await take('team', keysOf(await proposal('team')));
    const backup = await exportBackup(admin, '?data=true');
    await admin(`${at}/team`, { method: 'DELETE' });
    expect(await importBackup(admin, backup)).toMatchObject({ restored: true });
    expect((await list()).items[0]?.state).toMatchObject({ skills: 1, pending: 0 });
    expect((await sync('team')).state.pending).toBe(0);
  },
  startsManyProcesses,
);
