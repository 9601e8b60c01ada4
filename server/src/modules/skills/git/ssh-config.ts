import type { SshKey } from './get-credentials.ts';
import type { GitLimits } from './git-limits.ts';
import { gitProblem } from './git-problem.ts';
import type { GitFailed } from './run-git.ts';

interface Options {
  ssh?: SshKey | undefined;
  /** Addresses of the host that were checked. */
  addresses: readonly string[];
  limits: GitLimits;
}

/**
 * The configuration with which ssh reaches a checked address only, with one key, and trusts known hosts only. Host, user
 * and paths were parsed, and contain neither blanks nor quotes.
 *
 * @throws a problem without a key
 */
export function sshConfigOf(
  { hostname, port, username }: URL,
  { ssh, addresses: [address], limits }: Options,
): string {
  if (!ssh || address === undefined) {
    throw gitProblem(
      'private',
      `${hostname} is read over ssh, which needs a key. Enter the variable with credentials in the source.`,
    );
  }
  const name = port === '' ? hostname : `[${hostname}]:${port}`;
  return `HostName ${address}
HostKeyAlias ${name}
Port ${port || '22'}
User ${username}
IdentityFile ${ssh.keyFile}
IdentitiesOnly yes
IdentityAgent none
UserKnownHostsFile ${ssh.knownHostsFile}
GlobalKnownHostsFile /dev/null
StrictHostKeyChecking yes
UpdateHostKeys no
VerifyHostKeyDNS no
BatchMode yes
PreferredAuthentications publickey
ConnectTimeout ${Math.ceil(limits.firstByteMs / 1000)}
ServerAliveInterval 10
ServerAliveCountMax 3
ClearAllForwardings yes
ForwardAgent no
PermitLocalCommand no
ProxyCommand none
ProxyJump none
ControlMaster no
ControlPath none
LogLevel ERROR
`;
}

/** Why ssh failed; undefined if it did not. Only its text tells failures apart. */
export function toSshProblem({ text }: GitFailed, { host, protocol }: URL) {
  if (protocol !== 'ssh:') {
    return undefined;
  }
  if (/ssh: (?:command )?not found|cannot run ssh/.test(text)) {
    return gitProblem(
      'no-ssh',
      'The server has no ssh. Install the package openssh-client on the server.',
    );
  }
  if (/HOST IDENTIFICATION HAS CHANGED|host key for .* has changed/i.test(text)) {
    return gitProblem(
      'host-key',
      `The host key of ${host} is not the known one: another server may answer in its place. Find out why it changed before you change the file of known hosts.`,
    );
  }
  if (/host key is known for|Host key verification failed/i.test(text)) {
    return gitProblem(
      'host-key',
      `The host key of ${host} is unknown. Check it with the operator of ${host}, and add it to the file of known hosts.`,
    );
  }
  if (/Permission denied|Load key|UNPROTECTED PRIVATE KEY/i.test(text)) {
    return gitProblem(
      'private',
      `${host} does not accept the key, or the key cannot be read. Check the file, its owner and its mode 0600, and whether the key may read the repository.`,
    );
  }
  if (/does not appear to be a git repository|Repository not found/i.test(text)) {
    return gitProblem('no-repository', `${host} has no such repository. Check the address.`);
  }
  if (/Connection (?:timed out|refused|closed|reset)|No route to host|during banner/i.test(text)) {
    return gitProblem('unreachable', `${host} cannot be reached over ssh: ${text.slice(0, 300)}`);
  }
  return undefined;
}
