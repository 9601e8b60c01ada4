import { gitProblem } from './git-problem.ts';

/** A key of ssh, and the keys of hosts that are trusted. Both are paths of files. */
export interface SshKey {
  keyFile: string;
  knownHostsFile: string;
}

/** What a source sends to its host. */
export interface GitCredentials {
  /** Value of the header `Authorization`. */
  authorization?: string | undefined;
  ssh?: SshKey | undefined;
}

/**
 * Credentials for the host of an address, from a variable of the environment. It begins with the host, so that an
 * administrator who changes a source cannot send them elsewhere.
 *
 * @throws a problem that names the variable, never its value
 */
export function getCredentials(
  variable: string,
  value: string | undefined,
  address: URL,
): GitCredentials {
  return address.protocol === 'ssh:'
    ? { ssh: getSshKey(variable, value, address) }
    : { authorization: getAuthorization(variable, value, address) };
}

/** The host, and the paths of two files. They are written into a configuration of ssh. */
function getSshKey(variable: string, value: string | undefined, address: URL): SshKey {
  const [host = '', keyFile = '', knownHostsFile = '', ...more] = (value ?? '').trim().split(/\s+/);
  if (![keyFile, knownHostsFile].every((path) => filePath.test(path)) || more.length > 0) {
    throw gitProblem(
      'private',
      `The variable ${variable} is missing or does not name a key. Set it to "HOST KEY_FILE KNOWN_HOSTS_FILE" with full paths in the server's environment, and restart the server.`,
    );
  }
  checkHost(variable, host, address);
  return { keyFile, knownHostsFile };
}

const filePath = /^\/[\w./+@-]+$/;

function checkHost(variable: string, host: string, address: URL): void {
  if (host.toLowerCase() !== address.host) {
    throw gitProblem(
      'private',
      `The credentials in ${variable} are for another host than ${address.host}. Choose another variable.`,
    );
  }
}

/**
 * The header `Authorization`: the variable has the host, a blank, and a token or `user:password`.
 */
function getAuthorization(variable: string, value: string | undefined, address: URL): string {
  const [host = '', secret = '', ...more] = (value ?? '').trim().split(/\s+/);
  if (secret === '' || more.length > 0) {
    const format = `"HOST TOKEN" or "HOST USER:PASSWORD"`;
    throw gitProblem(
      'private',
      `The variable ${variable} is missing or has no credentials. Set it to ${format} in the server's environment, and restart the server.`,
    );
  }
  checkHost(variable, host, address);
  const user = address.hostname === 'bitbucket.org' ? 'x-token-auth' : 'x-access-token';
  const pair = secret.includes(':') ? secret : `${user}:${secret}`;
  return `Basic ${Buffer.from(pair).toString('base64')}`;
}
