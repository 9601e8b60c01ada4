import { writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { hasSshd, startSshServer } from '../../../testing/openssh.ts';
import { parseProblem } from '../../../testing/parse-answer.ts';
import { createSigner, signCommit } from '../../../testing/signed-commits.ts';
import {
  keysOf,
  sourceSkill,
  sourcesPath,
  startGitSources,
} from '../../../testing/start-git-sources.ts';

/** Timeout in milliseconds. */
const startsManyProcesses = 90_000;

const credentials = { variable: 'SKILL_SOURCE_TEAM' };

/** A server with credentials for an sshd, and the address of its repositories. */
async function startSsh() {
  const key = await createSigner();
  const ssh = await startSshServer(key);
  const host = `127.0.0.1:${ssh.port}`;
  const environment = {
    SKILL_SOURCE_TEAM: `${host} ${key.file} ${ssh.knownHostsFile}`,
    SKILL_SOURCE_OTHER_KEY: `${host} ${(await createSigner()).file} ${ssh.knownHostsFile}`,
    SKILL_SOURCE_OTHER_HOST: `127.0.0.1:1 ${key.file} ${ssh.knownHostsFile}`,
    SKILL_SOURCE_OPTION: `${host} -oProxyCommand=id ${ssh.knownHostsFile}`,
  };
  const started = await startGitSources({ environment });
  await started.git.commit('team', { 'pdf/SKILL.md': sourceSkill('pdf') });
  const url = `ssh://${ssh.user}@${host}${started.git.root}/team.git`;
  const faultOf = async (id: string) => {
    const path = `${sourcesPath}/${id}/sync`;
    const { issues, detail } = await parseProblem(started.admin(path, { method: 'POST' }));
    return [issues?.[0]?.code, detail];
  };
  return { ...started, ssh, key, url, faultOf };
}

test.runIf(hasSshd)(
  'reads skills over ssh with a key, and checks their signature',
  async () => {
    const { git, key, url, create, sync, proposal, take, isOn } = await startSsh();
    const requireSigned = { signers: [`ann ${key.publicKey}`] };
    await create({ id: 'team', url, credentials, requireSigned });
    const commit = await signCommit(git, 'team', key);
    expect((await sync('team')).state).toMatchObject({ commit, pending: 1 });
    await take('team', keysOf(await proposal('team')));
    expect(await isOn('pdf')).toBe(true);
    expect((await sync('team')).state).toMatchObject({ commit, pending: 0, skills: 1 });
  },
  startsManyProcesses,
);

test.runIf(hasSshd)(
  'says why a repository cannot be read over ssh',
  async () => {
    const { ssh, url, create, faultOf } = await startSsh();
    const variable = (name: string) => ({ credentials: { variable: `SKILL_SOURCE_${name}` } });
    const sources = {
      'no-key': [{ url }, 'private', 'needs a key'],
      'other-key': [{ url, ...variable('OTHER_KEY') }, 'private', 'does not accept the key'],
      'other-host': [{ url, ...variable('OTHER_HOST') }, 'private', 'for another host'],
      option: [{ url, ...variable('OPTION') }, 'private', 'does not name a key'],
      gone: [{ url: `${url}x`, credentials }, 'no-repository', 'no such repository'],
    } as const;
    for (const [id, [fields, code, text]] of Object.entries(sources)) {
      await create({ id, ...fields });
      expect(await faultOf(id)).toEqual([code, expect.stringContaining(text)]);
    }
    await create({ id: 'team', url, credentials });
    await writeFile(ssh.knownHostsFile, '');
    expect(await faultOf('team')).toEqual(['host-key', expect.stringContaining('is unknown')]);
    const { publicKey } = await createSigner();
    await writeFile(ssh.knownHostsFile, `[127.0.0.1]:${ssh.port} ${publicKey}\n`);
    expect(await faultOf('team')).toEqual([
      'host-key',
      expect.stringContaining('is not the known'),
    ]);
  },
  startsManyProcesses,
);

test.runIf(hasSshd)(
  'gives up on a server of ssh that never answers',
  async () => {
    const silent = createServer();
    await new Promise<void>((resolve) => {
      silent.listen(0, '127.0.0.1', resolve);
    });
    onTestFinished(() => void silent.close());
    const { port } = silent.address() as AddressInfo;
    const { file } = await createSigner();
    const environment = { SKILL_SOURCE_TEAM: `127.0.0.1:${port} ${file} ${file}.pub` };
    const { admin, create } = await startGitSources({ environment });
    await create({ id: 'team', url: `ssh://git@127.0.0.1:${port}/one`, credentials });
    const { issues } = await parseProblem(admin(`${sourcesPath}/team/sync`, { method: 'POST' }));
    expect(issues?.[0]?.code).toBe('unreachable');
  },
  startsManyProcesses,
);

test('does not reach private hosts over ssh, and refuses options in addresses', async () => {
  const environment = { SKILL_SOURCE_TEAM: '10.0.0.7 /key /known' };
  const { admin, create } = await startGitSources({ environment });
  await create({ id: 'team', url: 'git@10.0.0.7:owner/repo.git', credentials });
  const { issues } = await parseProblem(admin(`${sourcesPath}/team/sync`, { method: 'POST' }));
  expect(issues?.[0]?.code).toBe('refused-address');
  const addresses = [
    'ssh://-oProxyCommand=id@host/x',
    'ssh://git@-oProxyCommand=id/x',
    'ssh://git@host:99999/x',
    "git@host:x';id;'",
    'git@host:-x',
    'git@host:a/../b',
    'ssh://git:secret@host/x',
    'git@host:x\nProxyCommand id',
  ];
  for (const url of addresses) {
    expect((await parseProblem(admin(sourcesPath, { json: { id: 'x', url } }))).code).toBe(
      'invalid-request',
    );
  }
});
