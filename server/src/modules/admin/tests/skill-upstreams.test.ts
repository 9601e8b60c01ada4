import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { skillUpstreamsApi } from '@knowhow/shared/skills/skill-upstreams';
import { expect, test } from 'vitest';
import { exportBackup, importBackup } from '../../../testing/backup-calls.ts';
import type { GitServer } from '../../../testing/git-server.ts';
import { hasSshd, startSshServer } from '../../../testing/openssh.ts';
import { parseAnswer, parseProblem } from '../../../testing/parse-answer.ts';
import { createSigner } from '../../../testing/signed-commits.ts';
import {
  keysOf,
  sourceSkill,
  sourcesPath,
  startGitSources,
} from '../../../testing/start-git-sources.ts';
import { waitFor } from '../../../testing/wait-for.ts';

/** Timeout in milliseconds. */
const startsManyProcesses = 180_000;

/** A server with the skill `pdf` of a source. */
async function startTaken(
  options: Parameters<typeof startGitSources>[0] = {},
  fields: (git: GitServer) => object = () => ({}),
) {
  const started = await startGitSources(options);
  const { git, admin, create, sync, proposal, take } = started;
  const files = {
    'skills/pdf/SKILL.md': sourceSkill('pdf'),
    'skills/pdf/gone.md': 'x',
    'skills/pdf/.gitattributes': '*.md text',
    'README.md': 'Ours.',
  };
  const first = await git.commit('team', files);
  await create({ id: 'team', url: git.url('team'), ...fields(git) });
  await sync('team');
  await take('team', keysOf(await proposal('team')));
  const path = `${sourcesPath}/team/skills/pdf`;
  return {
    ...started,
    ...{ files, first, path },
    upstreams: async (name: string) =>
      (
        await parseAnswer(
          skillUpstreamsApi.ofSkill.response,
          admin(`/api/admin/skills/${name}/upstreams`),
        )
      ).items,
    propose: (message: string) => admin(`${path}/propose`, { json: { message } }),
  };
}

const pushed = skillUpstreamsApi.propose.response;

test(
  'a detached skill is left alone, and follows its source again',
  async () => {
    const started = await startTaken();
    const { git, admin, path, first, files, sync, proposal, upstreams } = started;
    const url = git.url('team');
    const upstream = { source: 'team', name: 'pdf', localName: 'pdf', path: 'skills/pdf', url };
    expect(await upstreams('pdf')).toEqual([
      { ...upstream, commit: first, isReadable: true, hasCredentials: false },
    ]);
    const detached = await parseAnswer(
      skillUpstreamsApi.detach.response,
      admin(`${path}/detach`, { json: {} }),
    );
    expect(detached.detachedAt).toBeDefined();
    // The result of the last sync stays.
    expect((await proposal('team')).commit?.commit).toBe(first);
    await git.commit('team', { ...files, 'skills/pdf/SKILL.md': sourceSkill('pdf', 'Two.\n') });
    expect((await sync('team')).state).toMatchObject({ pending: 0, skills: 0 });
    await git.commit('team', { 'skills/new/SKILL.md': sourceSkill('new') });
    await sync('team');
    expect(keysOf(await proposal('team'))).toEqual([
      expect.stringMatching(/^added:new:skills\/new:/),
    ]);

    // It keeps its upstream in backups and without the source.
    const backup = await exportBackup(admin, '?data=true');
    expect((await admin(`${sourcesPath}/team`, { method: 'DELETE' })).status).toBe(204);
    expect(await upstreams('pdf')).toMatchObject([{ ...upstream, isReadable: false }]);
    const lost = await parseProblem(admin(`${path}/follow`, { json: {} }));
    expect(lost.detail).toContain('There is no source "team" that reads');
    expect(await importBackup(admin, backup)).toMatchObject({ restored: true });
    expect(await upstreams('pdf')).toMatchObject([{ ...upstream, isReadable: true }]);

    const followed = await parseAnswer(
      skillUpstreamsApi.follow.response,
      admin(`${path}/follow`, { json: {} }),
    );
    expect(followed.detachedAt).toBeUndefined();
    await git.commit('team', { ...files, 'skills/pdf/SKILL.md': sourceSkill('pdf', 'Two.\n') });
    await sync('team');
    expect(keysOf(await proposal('team'))).toEqual([
      expect.stringMatching(/^changed:pdf:skills\/pdf:/),
    ]);
    const again = await parseProblem(admin(`${path}x/detach`, { json: {} }));
    expect(again.code).toBe('not-found');
  },
  startsManyProcesses,
);

test(
  'a detached skill keeps its upstream under another name',
  async () => {
    const { admin, folder, path, upstreams } = await startTaken();
    await admin(`${path}/detach`, { json: {} });
    await rename(join(folder, 'skills/pdf'), join(folder, 'skills/letters'));
    // Its versions are found under the new name.
    await waitFor(async () => (await admin('/api/skill-versions/letters')).ok);
    expect(await upstreams('letters')).toMatchObject([{ name: 'pdf', localName: 'letters' }]);
    const renamed = await parseProblem(admin(`${path}/follow`, { json: {} }));
    expect(renamed.detail).toContain('has the name "letters" here');
  },
  startsManyProcesses,
);

const variable = 'SKILL_SOURCE_TEAM';
const credentials = { variable };
const allow = ({ port }: GitServer) => ({ [variable]: `127.0.0.1:${port} ann:secret` });

test(
  'proposes a skill upstream on a new branch',
  async () => {
    const environment = (git: GitServer) => ({
      ...allow(git),
      PUBLIC_URL: 'https://chat.example.org',
    });
    const started = await startTaken({ environment }, () => ({ credentials }));
    const { git, admin, first, path, write, propose } = started;
    const same = await parseProblem(propose('Nothing.'));
    expect(same.detail).toContain('has no changes to propose');
    await write('pdf', 'SKILL.md', sourceSkill('pdf', 'Better.\n'));
    await write('pdf', 'scripts/new.md', 'New.');
    await admin('/api/admin/skills/pdf/files/gone.md', { method: 'DELETE' });
    for (const message of ['', 'a\u0007b', 'x'.repeat(2001)]) {
      expect((await parseProblem(propose(message))).code).toBe('invalid-request');
    }
    const closed = await parseProblem(propose('Improve it.'));
    expect(closed.issues?.[0]?.code).toBe('push-refused');
    expect(closed.detail).not.toContain('secret');

    await git.git('team', ['config', 'http.receivepack', 'true']);
    // The branch of the source is ahead meanwhile.
    const ahead = 'from refs/heads/main^0\nM 100644 inline README.md\ndata 1\ny\n';
    const committer = 'committer Ann <ann@example.com> 1700000001 +0000\ndata 1\nx\n';
    const next = `commit refs/heads/main\n${committer}${ahead}`;
    await git.git('team', ['fast-import', '--quiet'], next);
    const { branch, commit } = await parseAnswer(pushed, propose('Improve it.\n\nWith details.'));
    expect(branch).toBe('knowhow/pdf-1');
    const show = (...args: string[]) => git.git('team', args);
    expect((await show('rev-parse', branch, `${branch}^`)).split('\n').slice(0, 2)).toEqual([
      ...[commit, first],
    ]);
    expect(await show('diff', '--name-status', `${first}..${branch}`)).toBe(
      'M\tskills/pdf/SKILL.md\nD\tskills/pdf/gone.md\nA\tskills/pdf/scripts/new.md\n',
    );
    expect(await show('show', `${branch}:skills/pdf/SKILL.md`)).toBe(
      sourceSkill('pdf', 'Better.\n'),
    );
    const text = await show('log', '-1', '--format=%an <%ae>%n%B', branch);
    expect(text).toMatch(/^\S.* <noreply@chat\.example\.org>\nImprove it\.\n\nWith details\.\n/);
    expect((await parseAnswer(pushed, propose('Again.'))).branch).toBe('knowhow/pdf-2');
    expect((await show('rev-parse', branch)).trim()).toBe(commit);

    await git.git('team', ['config', 'http.receivepack', 'false']);
    const refused = await parseProblem(propose('Once more.'));
    expect(refused.detail).toContain('does not let the credentials');
    const audit = await (await admin('/api/admin/audit?kind=skill')).text();
    expect(audit).toContain('proposed-upstream');
    expect((await parseProblem(admin(`${path}x/propose`, { json: { message: 'x' } }))).code).toBe(
      'not-found',
    );
  },
  startsManyProcesses,
);

test(
  'names what stops a proposal: no credentials, or a rule of the server',
  async () => {
    const open = await startTaken();
    await open.write('pdf', 'SKILL.md', sourceSkill('pdf', 'Better.\n'));
    expect((await parseProblem(open.propose('x'))).detail).toContain('has no credentials');

    const { git, write, propose } = await startTaken({ environment: allow }, () => ({
      credentials,
    }));
    await write('pdf', 'SKILL.md', sourceSkill('pdf', 'Better.\n'));
    await git.git('team', ['config', 'http.receivepack', 'true']);
    await git.git('team', ['config', 'transfer.hideRefs', 'refs/heads/knowhow']);
    const rule = await parseProblem(propose('x'));
    expect(rule.issues?.[0]?.code).toBe('push-refused');
    expect(rule.detail).toContain('Check the rules for branches');
    git.intercept = (request, response) => {
      const isPush = request.url?.includes('git-receive-pack') ?? false;
      if (isPush) {
        response.writeHead(403).end();
      }
      return isPush;
    };
    expect((await parseProblem(propose('x'))).detail).toContain('Give them the right to write');
  },
  startsManyProcesses,
);

test.runIf(hasSshd)(
  'proposes a skill over ssh',
  async () => {
    const key = await createSigner();
    const ssh = await startSshServer(key);
    const host = `127.0.0.1:${ssh.port}`;
    const environment = { [variable]: `${host} ${key.file} ${ssh.knownHostsFile}` };
    const { git, write, propose } = await startTaken({ environment }, ({ root }) => ({
      ...{ credentials, url: `ssh://${ssh.user}@${host}${root}/team.git` },
    }));
    await write('pdf', 'SKILL.md', sourceSkill('pdf', 'Better.\n'));
    const { branch, commit } = await parseAnswer(pushed, propose('Improve it.'));
    expect((await git.git('team', ['rev-parse', branch])).trim()).toBe(commit);
  },
  startsManyProcesses,
);
