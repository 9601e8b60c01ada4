import { expect, test } from 'vitest';
import { parseProblem } from '../../../testing/parse-answer.ts';
import {
  keysOf,
  sourceSkill,
  sourcesPath,
  startGitSources,
} from '../../../testing/start-git-sources.ts';

/** Timeout in milliseconds. */
const startsManyProcesses = 90_000;

test(
  'a commit that changes one skill leaves the others as they are, and keeps their names taken',
  async () => {
    const { git, admin, create, sync, proposal, take, isOn } = await startGitSources();
    const files = {
      'skills/pdf/SKILL.md': sourceSkill('pdf'),
      'skills/letters/SKILL.md': sourceSkill('letters'),
      'skills/old/SKILL.md': sourceSkill('old'),
    };
    await git.commit('team', files);
    await create({ id: 'team', url: git.url('team') });
    await sync('team');
    await take('team', keysOf(await proposal('team')));

    const { 'skills/old/SKILL.md': _, ...left } = files;
    await git.commit('team', {
      ...left,
      'skills/pdf/SKILL.md': sourceSkill('pdf', 'Two.\n'),
      'copies/letters/SKILL.md': sourceSkill('letters', 'A copy.\n'),
    });
    await sync('team');
    const { changes } = await proposal('team');
    expect(changes.map(({ kind, name, accepted }) => [kind, name, accepted])).toEqual([
      ['changed', 'letters', false],
      ['changed', 'pdf', true],
      ['removed', 'old', true],
    ]);
    const chosen = changes.filter(({ accepted }) => accepted).map(({ key }) => key);
    expect(await take('team', chosen)).toMatchObject({ installed: ['pdf'], switchedOff: ['old'] });
    expect([await isOn('pdf'), await isOn('letters')]).toEqual([true, true]);

    const change = { method: 'PATCH', json: { exclude: ['skills/letters', 'copies/*'] } };
    expect((await admin(`${sourcesPath}/team`, change)).status).toBe(200);
    await sync('team');
    expect(keysOf(await proposal('team'))).toEqual([
      expect.stringMatching(/^removed:letters:skills\/letters:/),
    ]);
    const unknown = { json: { take: ['removed:pdf:skills/pdf:0'] } };
    const refused = admin(`${sourcesPath}/team/proposal/apply`, unknown);
    expect((await parseProblem(refused)).code).toBe('conflict');
  },
  startsManyProcesses,
);

test(
  'a removal that was not taken is proposed again with each commit',
  async () => {
    const { git, create, sync, proposal, take } = await startGitSources();
    await git.commit('team', { 'skills/one/SKILL.md': sourceSkill('before') });
    await create({ id: 'team', url: git.url('team') });
    await sync('team');
    await take('team', keysOf(await proposal('team')));
    const renamed = { 'skills/one/SKILL.md': sourceSkill('after', 'Two.\n') };
    await git.commit('team', renamed);
    await sync('team');
    const keys = keysOf(await proposal('team'));
    expect(keys.map((key) => key.split(':', 2))).toEqual([
      ['added', 'after'],
      ['removed', 'before'],
    ]);
    await take('team', keys.slice(0, 1));
    await git.commit('team', { ...renamed, 'README.md': 'News.' });
    expect((await sync('team')).state.pending).toBe(1);
    expect(keysOf(await proposal('team'))).toEqual([expect.stringMatching(/^removed:before:/)]);
  },
  startsManyProcesses,
);

test(
  'a commit without any change of skills proposes nothing',
  async () => {
    const { git, create, sync, proposal, take } = await startGitSources();
    const files = { 'skills/pdf/SKILL.md': sourceSkill('pdf') };
    await git.commit('team', files);
    await create({ id: 'team', url: git.url('team') });
    await sync('team');
    await take('team', keysOf(await proposal('team')));
    const second = await git.commit('team', { ...files, 'README.md': 'News.' });
    expect((await sync('team')).state).toMatchObject({ commit: second, pending: 0, skills: 1 });
    expect((await proposal('team')).changes).toEqual([]);
  },
  startsManyProcesses,
);
