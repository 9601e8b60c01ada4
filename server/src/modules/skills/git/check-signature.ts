import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { shortCommit } from '@knowhow/shared/skills/git-commit';
import type { Signer } from '@knowhow/shared/skills/signer';
import { gitProblem } from './git-problem.ts';
import { GitFailed, type RunGit } from './run-git.ts';

interface Check {
  /** The repository's folder, in which the file of signers is written. */
  directory: string;
  commit: string;
  signers: readonly Signer[];
}

/** The only name in the file of signers: who signs is shown by the key. */
const anySigner = 'signer';

/**
 * Checks that a commit has an SSH signature by one of the signers, with a key that is valid now. The date of the commit
 * does not matter, because its author chooses it.
 *
 * @throws a problem that says what is wrong with the signature
 */
export async function checkSignature(run: RunGit, { directory, commit, signers }: Check) {
  const file = resolve(join(directory, 'signers'));
  const now = Date.now();
  const valid = signers.filter((signer) => isValid(signer, now));
  const lines = valid.map(({ type, key }) => `${anySigner} namespaces="git" ${type} ${key}\n`);
  await writeFile(file, lines.join(''), { mode: 0o600 });
  const config = [...verifyConfig, `gpg.ssh.allowedSignersFile=${file}`];
  try {
    await run(['verify-commit', '--raw', commit], { config });
  } catch (error) {
    const expired = signers.filter((signer) => !valid.includes(signer));
    throw error instanceof GitFailed ? toProblem(error, { commit, expired }) : error;
  }
}

const verifyConfig = [
  'gpg.format=ssh',
  'gpg.ssh.program=ssh-keygen',
  'gpg.minTrustLevel=fully',
  // Signatures of other kinds never count, and start no other program.
  'gpg.openpgp.program=false',
  'gpg.x509.program=false',
];

function isValid({ validAfter = 0, validBefore = Number.POSITIVE_INFINITY }: Signer, now: number) {
  return validAfter <= now && now < validBefore;
}

interface Failure {
  commit: string;
  /** Signers whose keys are not valid now. */
  expired: readonly Signer[];
}

/** ssh-keygen tells failures apart by its text only. */
function toProblem(error: GitFailed, { commit, expired }: Failure) {
  const { text } = error;
  const name = `Commit ${shortCommit(commit)}`;
  if (/cannot run ssh-keygen|is needed for ssh signature verification/.test(text)) {
    return gitProblem('no-ssh-keygen', missing, error);
  }
  if (text === '' || text.includes('bad/incompatible signature')) {
    const what = `${name} has no SSH signature. Sign it with the key of a signer; signatures of OpenPGP do not count.`;
    return gitProblem('unsigned', what, error);
  }
  const [, fingerprint] = /key (SHA256:[\w+/]{43})/.exec(text) ?? [];
  if (fingerprint === undefined) {
    const what = `The signature of commit ${shortCommit(commit)} is invalid: it was made for other content, or is damaged. Find out who has pushed it, and sign it again.`;
    return gitProblem('bad-signature', what, error);
  }
  const owner = expired.find((signer) => fingerprintOf(signer) === fingerprint);
  const what = owner
    ? `${name} is signed with a key of ${owner.name} that is not valid now (${fingerprint}). Sign it with a valid key.`
    : `${name} is signed with a key that is not in the list of signers (${fingerprint}). Add its owner to the signers if you trust them.`;
  return gitProblem('bad-signature', what, error);
}

const missing =
  'The server has no ssh-keygen, which checks signatures. Install OpenSSH 8.8 or newer (the package openssh-client) on the server.';

/** As OpenSSH prints it. */
function fingerprintOf({ key }: Signer): string {
  const hash = createHash('sha256').update(Buffer.from(key, 'base64')).digest('base64');
  return `SHA256:${hash.replace(/=+$/, '')}`;
}
