import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import type { GuardedFetch } from '../../../platform/lib/guarded-fetch.ts';
import {
  OutboundRefused,
  outboundRules,
  targetOf,
} from '../../../platform/lib/outbound/outbound-rules.ts';
import { classifyAddress } from '../../../platform/lib/outbound/private-addresses.ts';
import type { GitCredentials } from './get-credentials.ts';
import type { GitLimits } from './git-limits.ts';
import { gitProblem } from './git-problem.ts';
import { sshConfigOf } from './ssh-config.ts';

/** A repository on a server that was checked. */
export interface GitRemote {
  /** Its address, after redirects of its server. */
  url: string;
  /** Configuration with which git reaches the checked address only. */
  config: readonly string[];
  /** Configuration with the credentials. */
  secretConfig: Readonly<Record<string, string>>;
  /** The configuration of ssh, for its addresses. */
  sshConfig?: string;
}

/** Access to git servers. */
export interface Outbound {
  guarded: GuardedFetch;
  /** Hosts in private networks that may be reached: `outbound.allowPrivate`. */
  allowPrivate: () => readonly string[];
}

interface Options extends Outbound, GitCredentials {
  limits: GitLimits;
  signal: AbortSignal;
}

const maxRedirects = 3;

/**
 * Asks the server of a repository as git would, to know before git runs that it may be reached, that
 * the repository exists, and where it is. Redirects are followed on the same host only. Then git gets
 * the addresses that were checked, so that it does not look up the name again (DNS rebinding).
 *
 * @throws a problem that says why the repository cannot be read
 */
export async function findRemote(address: URL, options: Options): Promise<GitRemote> {
  const addresses = await findAddresses(address, options);
  if (address.protocol === 'ssh:') {
    const sshConfig = sshConfigOf(address, { ...options, addresses });
    return {
      url: address.href,
      config: ['protocol.ssh.allow=always'],
      secretConfig: {},
      sshConfig,
    };
  }
  const url = await findRepository(address, options);
  const { authorization } = options;
  return {
    url,
    config: [
      `protocol.${address.protocol.slice(0, -1)}.allow=always`,
      'http.followRedirects=false',
      'http.proxy=',
      'http.lowSpeedLimit=1000',
      'http.lowSpeedTime=30',
      ...pinAddresses(address, addresses),
    ],
    secretConfig:
      authorization === undefined
        ? {}
        : { [`http.${address.origin}/.extraHeader`]: `Authorization: ${authorization}` },
  };
}

async function findRepository(
  address: URL,
  { guarded, limits, signal, authorization }: Options,
): Promise<string> {
  const ask = guarded.within({ firstByteMs: limits.firstByteMs, totalMs: 2 * limits.firstByteMs });
  let url = new URL(`${address.href.replace(/\/$/, '')}/info/refs?service=git-upload-pack`);
  for (let hops = 0; hops <= maxRedirects; hops += 1) {
    const response = await ask(url, {
      signal,
      redirect: 'manual',
      headers: {
        'user-agent': 'git/2 (knowhow)',
        'git-protocol': 'version=2',
        ...(authorization === undefined ? {} : { authorization }),
      },
    }).catch((error: unknown) => {
      throw toUnreachable(error, address, signal);
    });
    await response.body?.cancel();
    const location = response.status >= 300 && response.status < 400 && redirectOf(response, url);
    if (!location) {
      checkAnswer(response, address);
      return url.href.replace(/\/info\/refs\?.*$/, '');
    }
    if (location.origin !== address.origin) {
      throw gitProblem(
        'redirect',
        `${address.host} redirects to ${location.host || location.protocol}, which is not followed. Enter the address of the repository there.`,
      );
    }
    url = location;
  }
  throw gitProblem('redirect', `${address.host} redirects too often. Check the address.`);
}

function redirectOf(response: Response, from: URL): URL | undefined {
  const location = response.headers.get('location') ?? '';
  if (!URL.canParse(location, from.href)) {
    return undefined;
  }
  const url = new URL(location, from.href);
  const isRepository = url.pathname.endsWith('/info/refs');
  url.search = isRepository ? '?service=git-upload-pack' : url.search;
  // Anything else, such as a page for signing in, is no repository.
  return isRepository || url.origin !== from.origin ? url : undefined;
}

function checkAnswer({ status, headers }: Response, address: URL): void {
  if (status === 401 || status === 403) {
    throw gitProblem(
      'private',
      `${address.host} answers ${status}: ${address.pathname} is private, or does not exist. Check the address; a private repository needs credentials.`,
    );
  }
  if (status === 404) {
    throw gitProblem(
      'no-repository',
      `${address.host} has no repository at ${address.pathname}, or it is private. Check the address.`,
    );
  }
  if (status !== 200 || !headers.get('content-type')?.startsWith('application/x-git-upload-pack')) {
    throw gitProblem(
      'no-repository',
      `${address.href} is not a repository: the server answers ${status} with ${headers.get('content-type') ?? 'no content type'}. Check the address.`,
    );
  }
}

/** The configuration that pins git to addresses of a host. */
function pinAddresses(address: URL, addresses: readonly string[]): string[] {
  const list = addresses.map((each) => (each.includes(':') ? `[${each}]` : each)).join(',');
  const name = nameOf(address);
  return isIP(name) === 0 ? [`http.curloptResolve=${name}:${targetOf(address).port}:${list}`] : [];
}

function nameOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

/**
 * Finds and checks all addresses of a host.
 *
 * @throws a problem if one is private and not listed, or for http to a public host
 */
async function findAddresses(
  address: URL,
  { allowPrivate, signal }: Pick<Options, 'allowPrivate' | 'signal'>,
): Promise<string[]> {
  const rules = outboundRules(allowPrivate());
  const target = targetOf(address);
  const name = nameOf(address);
  try {
    rules.checkHost(target);
    const found = isIP(name) === 0 ? await lookUp(rules.lookupFor(target), name) : [name];
    if (address.protocol === 'http:' && !found.every(classifyAddress)) {
      throw gitProblem(
        'refused-address',
        `${address.host} is not in a private network, and http is not encrypted. Enter its https address.`,
      );
    }
    return found;
  } catch (error) {
    throw toUnreachable(error, address, signal);
  }
}

type Lookup = ReturnType<ReturnType<typeof outboundRules>['lookupFor']>;

function lookUp(lookup: Lookup, name: string): Promise<string[]> {
  return new Promise((resolve, reject) => {
    lookup(name, { all: true }, (error, found) => {
      if (error) {
        reject(error);
      } else {
        const all: readonly LookupAddress[] = Array.isArray(found) ? found : [];
        resolve(all.map(({ address }) => address));
      }
    });
  });
}

function toUnreachable(error: unknown, address: URL, signal: AbortSignal): unknown {
  if (signal.aborted) {
    return signal.reason;
  }
  if (error instanceof OutboundRefused) {
    const fault = error.rule === 'time' ? 'too-slow' : 'refused-address';
    return gitProblem(fault, error.message, error);
  }
  if (error instanceof TypeError || (error instanceof Error && 'code' in error && isDns(error))) {
    // The error of a request names the host.
    const isNamed = error.message.startsWith(address.host);
    const reason = isNamed ? error.message : `${address.host} cannot be reached: ${error.message}`;
    return gitProblem(
      'unreachable',
      `${reason.replace(/\.?$/, '.')} Check the address and the network of the server.`,
      error,
    );
  }
  return error;
}

function isDns(error: { code?: unknown }): boolean {
  return String(error.code).startsWith('E') && error.code !== 'ERR_ABORTED';
}
