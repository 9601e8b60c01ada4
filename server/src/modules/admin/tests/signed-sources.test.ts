import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hasSshKeygen, systemProgram } from '../../../testing/openssh.ts';
import { parseProblem } from '../../../testing/parse-answer.ts';
import { createSigner, signCommit } from '../../../testing/signed-commits.ts';
import {
  keysOf,
  sourceSkill,
  sourcesPath,
  startGitSources,
} from '../../../testing/start-git-sources.ts';
import { temporaryFolder } from '../../../testing/write-files.ts';

/** Timeout in milliseconds. */
const startsManyProcesses = 90_000;

const files = { 'pdf/SKILL.md': sourceSkill('pdf') };

/** A server with a source that accepts commits of some signers only. */
async function startSigned(signers: string[], environment: Record<string, string> = {}) {
  const started = await startGitSources({ environment });
  const { git, admin, create, list } = started;
  await git.commit('team', files);
  await create({ id: 'team', url: git.url('team'), requireSigned: { signers } });
  const refused = async () => {
    const { issues, detail } = await parseProblem(
      admin(`${sourcesPath}/team/sync`, { method: 'POST' }),
    );
    const [item] = (await list()).items;
    expect(item?.state.error).toBe(detail);
    return [issues?.[0]?.code, detail];
  };
  return { ...started, refused };
}

test.runIf(hasSshKeygen)(
  'takes skills of signed commits only, and keeps those it has when one is not signed',
  async () => {
    const ann = await createSigner();
    const { git, sync, proposal, take, refused, isOn, list } = await startSigned([
      `ann@example.com ${ann.publicKey} Ann's key`,
    ]);
    expect(await refused()).toEqual(['unsigned', expect.stringContaining('no SSH signature')]);
    expect((await list()).items[0]?.state).toMatchObject({ pending: 0, skills: 0 });
    const commit = await signCommit(git, 'team', ann);
    expect((await sync('team')).state).toMatchObject({ commit, pending: 1 });
    await take('team', keysOf(await proposal('team')));
    expect(await isOn('pdf')).toBe(true);

    await git.commit('team', { 'fresh/SKILL.md': sourceSkill('fresh') });
    expect((await refused())[0]).toBe('unsigned');
    expect((await list()).items[0]?.state).toMatchObject({ commit, pending: 0, skills: 1 });
    expect((await proposal('team')).changes).toEqual([]);
    expect(await isOn('pdf')).toBe(true);
  },
  startsManyProcesses,
);

test.runIf(hasSshKeygen)(
  'refuses signatures of unknown keys, of expired ones, and those that do not fit',
  async () => {
    const [ann, bob, old] = [await createSigner(), await createSigner(), await createSigner()];
    const { git, refused, sync } = await startSigned([
      `ann@example.com,a@example.com namespaces="git" ${ann.publicKey}`,
      `"Old key" valid-after="20200101",valid-before="20210101120000Z" ${old.publicKey}`,
    ]);
    await signCommit(git, 'team', bob);
    expect(await refused()).toEqual([
      'bad-signature',
      expect.stringMatching(/not in the list of signers \(SHA256:.{43}\)/),
    ]);
    await signCommit(git, 'team', old);
    expect(await refused()).toEqual([
      'bad-signature',
      expect.stringContaining('a key of Old key that is not valid now'),
    ]);
    const signed = await signCommit(git, 'team', ann);
    const content = await git.git('team', ['cat-file', 'commit', signed]);
    const write = async (changed: string) => {
      const number = await git.git(
        'team',
        ['hash-object', '-t', 'commit', '-w', '--stdin'],
        changed,
      );
      await git.git('team', ['update-ref', 'refs/heads/main', number.trim()]);
    };
    await write(content.replace(/\nSigned/, '\nSigned by another'));
    expect(await refused()).toEqual(['bad-signature', expect.stringContaining('is invalid')]);
    await write(content.replace(/\n U1NI.{20}/, '\n U1NIAAAAAAAAAAAAAAAAAAAA'));
    expect((await refused())[0]).toBe('bad-signature');
    await write(content.replaceAll('SSH SIGNATURE', 'PGP SIGNATURE'));
    expect((await refused())[0]).toBe('unsigned');
    await write(content.replaceAll('SSH SIGNATURE', 'OTHER SIGNATURE'));
    expect((await refused())[0]).toBe('unsigned');
    await write(content);
    expect((await sync('team')).state.commit).toBe(signed);
  },
  startsManyProcesses,
);

test.runIf(hasSshKeygen)(
  'reads a commit again when its signers change',
  async () => {
    const [ann, bob] = [await createSigner('-t', 'ecdsa'), await createSigner('-t', 'rsa')];
    const { git, admin, sync, proposal, refused } = await startSigned([`ann ${ann.publicKey}`]);
    const signed = await signCommit(git, 'team', ann);
    expect((await sync('team')).state.commit).toBe(signed);
    await proposal('team');
    const change = (requireSigned: object | null) =>
      admin(`${sourcesPath}/team`, { method: 'PATCH', json: { requireSigned } });
    expect((await change({ signers: [`bob ${bob.publicKey}`] })).status).toBe(200);
    expect((await proposal('team')).changes).toEqual([]);
    expect((await refused())[0]).toBe('bad-signature');
    const byBob = await signCommit(git, 'team', bob);
    expect((await sync('team')).state.commit).toBe(byBob);
    await git.commit('team', files);
    expect((await refused())[0]).toBe('unsigned');
    expect((await change(null)).status).toBe(200);
    expect((await sync('team')).state.pending).toBe(1);
  },
  startsManyProcesses,
);

test.runIf(hasSshKeygen)('refuses signers that cannot be read, and says why', async () => {
  const { publicKey } = await createSigner();
  const weak = await createSigner('-t', 'rsa', '-b', '1024');
  const { admin, list } = await startGitSources();
  const create = (signers: unknown) =>
    parseProblem(admin(sourcesPath, { json: { id: 'x', url: 'a/b', requireSigned: { signers } } }));
  const [type = '', key = ''] = publicKey.split(' ');
  const lines = {
    '# comment': 'not a signer',
    [publicKey]: 'type of the key is missing',
    [`ann ssh-dss ${key}`]: 'type of the key is missing',
    [`ann ${type} AAAA`]: 'not a public key',
    [`ann ecdsa-sha2-nistp256 ${key}`]: 'not a public key',
    [`ann ${type} ${key}\nmallory ${type} ${key}`]: 'not a signer',
    [`ann cert-authority ${publicKey}`]: 'option cert-authority of ann is not supported',
    [`ann namespaces="file" ${publicKey}`]: 'is not supported',
    [`ann valid-before="soon" ${publicKey}`]: 'is not supported',
    [`ann ${weak.publicKey}`]: 'less than 2048 bits',
  };
  for (const [line, reason] of Object.entries(lines)) {
    const { code, issues } = await create([line]);
    expect([code, issues?.[0]?.message]).toEqual([
      'invalid-request',
      expect.stringContaining(reason),
    ]);
  }
  const megabyte = `ann ${publicKey} `.padEnd(1024 * 1024, 'x');
  for (const signers of [[], [megabyte], Array(10_000).fill(`ann ${publicKey}`), publicKey]) {
    expect((await create(signers)).code).toBe('invalid-request');
  }
  expect((await list()).items).toEqual([]);
});

test.runIf(hasSshKeygen)('says that ssh-keygen is missing on the server', async () => {
  const ann = await createSigner();
  const bin = join(await temporaryFolder(), 'bin');
  await mkdir(bin);
  await symlink(systemProgram('git') ?? '', join(bin, 'git'));
  const { git, refused } = await startSigned([`ann ${ann.publicKey}`], { PATH: bin });
  await signCommit(git, 'team', ann);
  expect(await refused()).toEqual(['no-ssh-keygen', expect.stringContaining('Install OpenSSH')]);
});
