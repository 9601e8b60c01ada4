import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseProblem } from '../../../testing/parse-answer.ts';
import {
  keysOf,
  sourceSkill,
  sourcesPath,
  startGitSources,
} from '../../../testing/start-git-sources.ts';
import { writeFiles } from '../../../testing/write-files.ts';

/** Timeout in milliseconds. */
const startsManyProcesses = 90_000;
const lockFile = 'config/skill-sources-lock.json';
const sourcesFile = 'config/skill-sources.json';

type Sources = Awaited<ReturnType<typeof startGitSources>>;

const read = (folder: string, path: string) => readFile(join(folder, path), 'utf8');
const readLock = async ({ folder }: Sources) => JSON.parse(await read(folder, lockFile)).sources;

/** An installation that has taken `pdf` and `letters` from a repository, in which `pdf` has changed since then. */
async function startFirst() {
  const first = await startGitSources();
  const { git, create, sync, proposal, take } = first;
  const locked = await git.commit('team', {
    'skills/pdf/SKILL.md': sourceSkill('pdf'),
    'skills/letters/SKILL.md': sourceSkill('letters'),
  });
  await create({ id: 'team', url: git.url('team') });
  await sync('team');
  await take('team', keysOf(await proposal('team')));
  const newest = await git.commit('team', {
    'skills/pdf/SKILL.md': sourceSkill('pdf', 'Two.\n'),
    'skills/letters/SKILL.md': sourceSkill('letters'),
  });
  return { first, locked, newest };
}

/** A new installation with the same files of `config/`, and some skills. */
async function startSecond({ git, folder }: Sources, skills: Record<string, string>) {
  const configured = [sourcesFile, lockFile];
  const files = await Promise.all(configured.map(async (path) => [path, await read(folder, path)]));
  return startGitSources({ git, files: { ...Object.fromEntries(files), ...skills } });
}

test(
  'a new installation begins at the locked commit, and follows the skills that it has',
  async () => {
    const { first, locked, newest } = await startFirst();
    const lock = await readLock(first);
    expect(lock).toEqual([
      {
        ...{ id: 'team', url: first.git.url('team'), commit: locked },
        skills: [
          { name: 'letters', path: 'skills/letters', checksum: expect.any(String) },
          { name: 'pdf', path: 'skills/pdf', checksum: expect.any(String) },
        ],
      },
    ]);

    const second = await startSecond(first, { 'skills/pdf/SKILL.md': sourceSkill('pdf') });
    const { sync, proposal, take } = second;
    expect((await sync('team')).state).toMatchObject({
      ...{ commit: locked, isLocked: true, pending: 1, skills: 1 },
    });
    const { changes } = await proposal('team');
    expect(changes.map(({ kind, name }) => [kind, name])).toEqual([['added', 'letters']]);
    await take('team', keysOf({ changes }));
    expect(await readLock(second)).toEqual(lock);

    const next = await sync('team');
    expect(next.state).toMatchObject({ commit: newest, pending: 1, skills: 2 });
    expect(next.state.isLocked).toBeUndefined();
  },
  startsManyProcesses,
);

test(
  'a skill that was edited before the first sync is merged, not replaced',
  async () => {
    const { first } = await startFirst();
    const edited = sourceSkill('pdf', 'One.\n\nEdited here.\n');
    const { sync, proposal } = await startSecond(first, { 'skills/pdf/SKILL.md': edited });
    await sync('team');
    await sync('team');
    const { changes } = await proposal('team');
    const pdf = changes.find(({ name }) => name === 'pdf');
    expect([pdf?.kind, pdf?.conflict, pdf?.merge?.hasBase]).toEqual(['changed', 'edited', true]);
  },
  startsManyProcesses,
);

test(
  'a skill that was left at an earlier commit is proposed as changed',
  async () => {
    const { first, newest } = await startFirst();
    await first.git.commit('team', {
      'skills/pdf/SKILL.md': sourceSkill('pdf', 'Two.\n'),
      'skills/letters/SKILL.md': sourceSkill('letters', 'Two.\n'),
    });
    await first.sync('team');
    const offered = await first.proposal('team');
    await first.take(
      'team',
      keysOf(offered).filter((key) => key.includes(':letters:')),
    );
    const [{ commit }] = await readLock(first);
    expect(commit).not.toBe(newest);

    const pdf = await read(first.folder, 'skills/pdf/SKILL.md');
    const { sync, proposal } = await startSecond(first, { 'skills/pdf/SKILL.md': pdf });
    expect((await sync('team')).state.commit).toBe(commit);
    const { changes } = await proposal('team');
    expect(changes.map(({ kind, name, conflict }) => [kind, name, conflict])).toEqual([
      ['added', 'letters', undefined],
      ['changed', 'pdf', undefined],
    ]);
  },
  startsManyProcesses,
);

test(
  'a detached skill, and a source that was removed, leave the file',
  async () => {
    const { first } = await startFirst();
    const { admin } = first;
    const skill = `${sourcesPath}/team/skills/pdf`;
    expect((await admin(`${skill}/detach`, { method: 'POST' })).status).toBe(200);
    const [{ skills }] = await readLock(first);
    expect(skills.map(({ name }: { name: string }) => name)).toEqual(['letters']);
    await admin(`${sourcesPath}/team`, { method: 'DELETE' });
    expect(await readLock(first)).toEqual([]);
  },
  startsManyProcesses,
);

test(
  'a broken file is not overwritten, and is written by the next sync after it was repaired',
  async () => {
    const { first, newest } = await startFirst();
    const { folder, sync, proposal, take, list } = first;
    const broken = '<<<<<<< ours\n';
    await writeFiles(folder, { [lockFile]: broken });
    await sync('team');
    await take('team', keysOf(await proposal('team')));
    expect(await read(folder, 'skills/pdf/SKILL.md')).toContain('Two.');
    expect(await read(folder, lockFile)).toBe(broken);
    expect((await list()).items[0]?.state.error).toContain('Restore or delete it.');
    await rm(join(folder, lockFile));
    expect((await sync('team')).state.error).toBeUndefined();
    expect((await readLock(first))[0].commit).toBe(newest);
  },
  startsManyProcesses,
);

test(
  'a broken file or an unknown commit stops the first sync with the next step',
  async () => {
    const { first, locked } = await startFirst();
    const { git, folder } = first;
    const sources = await read(folder, sourcesFile);
    const lock = await read(folder, lockFile);
    const failure = async (text: string) => {
      const files = { [sourcesFile]: sources, [lockFile]: text };
      const { admin } = await startGitSources({ git, files });
      return parseProblem(admin(`${sourcesPath}/team/sync`, { method: 'POST' }));
    };
    expect((await failure('{"sources": 5}')).detail).toContain(
      'skill-sources-lock.json has a mistake',
    );
    const gone = await failure(lock.replace(locked, 'a'.repeat(40)));
    expect(gone.detail).toContain('skill-sources-lock.json');
  },
  startsManyProcesses,
);

test(
  'a source stays until the broken file is gone, so that it can be removed again',
  async () => {
    const { git, admin, create, folder } = await startGitSources();
    await git.commit('team', { 'skills/pdf/SKILL.md': sourceSkill('pdf') });
    await create({ id: 'team', url: git.url('team') });
    await writeFiles(folder, { [lockFile]: '<<<<<<< ours\n' });
    const remove = () => admin(`${sourcesPath}/team`, { method: 'DELETE' });
    expect((await parseProblem(remove())).code).toBe('conflict');
    expect((await admin(`${sourcesPath}/team`)).status).toBe(200);
    await rm(join(folder, lockFile));
    expect((await remove()).status).toBe(204);
    expect((await admin(`${sourcesPath}/team`)).status).toBe(404);
  },
  startsManyProcesses,
);

test(
  'a source that cannot be removed keeps its locked commit',
  async () => {
    const { git, admin, create, sync, proposal, take, folder } = await startGitSources();
    await git.commit('team', { 'skills/pdf/SKILL.md': sourceSkill('pdf') });
    await create({ id: 'team', url: git.url('team') });
    await sync('team');
    await take('team', keysOf(await proposal('team')));
    const [sources, lock] = [await read(folder, sourcesFile), await read(folder, lockFile)];
    await writeFiles(folder, { [sourcesFile]: '<<<<<<< ours\n' });
    const remove = () => admin(`${sourcesPath}/team`, { method: 'DELETE' });
    expect((await parseProblem(remove())).code).toBe('conflict');
    expect(await read(folder, lockFile)).toBe(lock);
    await writeFiles(folder, { [sourcesFile]: sources });
    expect((await remove()).status).toBe(204);
    expect(JSON.parse(await read(folder, lockFile)).sources).toEqual([]);
  },
  startsManyProcesses,
);

test(
  'a file that has no room for more skills can still be read',
  async () => {
    const { git, admin, create, sync, proposal, take, folder } = await startGitSources();
    const commit = await git.commit('team', { 'skills/pdf/SKILL.md': sourceSkill('pdf') });
    // There is room for the source, but not for its skill.
    const note = 'x'.repeat(4 * 1024 * 1024 - 330);
    await writeFiles(folder, { [lockFile]: JSON.stringify({ note, sources: [] }) });
    await create({ id: 'team', url: git.url('team') });
    await sync('team');
    await take('team', keysOf(await proposal('team')));
    const lock = await read(folder, lockFile);
    expect(lock.length).toBeLessThan(4 * 1024 * 1024);
    expect(JSON.parse(lock).sources).toEqual([
      { id: 'team', url: git.url('team'), commit, skills: [] },
    ]);
    expect((await admin(`${sourcesPath}/team`, { method: 'DELETE' })).status).toBe(204);
  },
  startsManyProcesses,
);

test(
  'a file with thousands of mistakes is reported like one with a single mistake',
  async () => {
    const { git, admin, create, folder } = await startGitSources();
    const commit = await git.commit('team', { 'skills/pdf/SKILL.md': sourceSkill('pdf') });
    const url = git.url('team');
    const skills = Array.from({ length: 50_000 }, () => ({}));
    const lock = { sources: [{ id: 'team', url, commit, skills }] };
    await writeFiles(folder, { [lockFile]: JSON.stringify(lock) });
    await create({ id: 'team', url });
    const answer = admin(`${sourcesPath}/team/sync`, { method: 'POST' });
    expect((await parseProblem(answer)).detail).toContain('skill-sources-lock.json has a mistake');
  },
  startsManyProcesses,
);
