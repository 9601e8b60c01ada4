import { gitProblem } from './git-problem.ts';

/**
 * The header `Authorization` for the host of an address, from a variable of the environment: its host, a
 * blank, and a token or `user:password`. So an administrator who changes a source cannot send the token elsewhere.
 *
 * @throws a problem that names the variable, never its value
 */
export function getCredentials(variable: string, value: string | undefined, address: URL): string {
  const [host = '', secret = '', ...more] = (value ?? '').trim().split(/\s+/);
  if (secret === '' || more.length > 0) {
    const format = `"HOST TOKEN" or "HOST USER:PASSWORD"`;
    throw gitProblem(
      'private',
      `The variable ${variable} is missing or has no credentials. Set it to ${format} in the server's environment, and restart the server.`,
    );
  }
  if (host.toLowerCase() !== address.host) {
    throw gitProblem(
      'private',
      `The credentials in ${variable} are for another host than ${address.host}. Choose another variable.`,
    );
  }
  const user = address.hostname === 'bitbucket.org' ? 'x-token-auth' : 'x-access-token';
  const pair = secret.includes(':') ? secret : `${user}:${secret}`;
  return `Basic ${Buffer.from(pair).toString('base64')}`;
}
