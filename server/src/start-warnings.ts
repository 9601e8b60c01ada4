import { folderWarnings } from './check-folders.ts';
import type { Environment } from './env.ts';
import type { ContentStore, Contents } from './modules/content/index.ts';
import { anonymousAllowed, isCommonPassword } from './modules/identity/index.ts';
import { isLoopbackHost } from './platform/lib/is-loopback-host.ts';
import { variableWarnings } from './unknown-variables.ts';

/**
 * Unencrypted remote connections can be eavesdropped on. `disable` confirms that this is intended.
 */
function databaseWarnings({ databaseUrl }: Environment): string[] {
  const { hostname, searchParams } = new URL(databaseUrl ?? 'postgresql://');
  const host = searchParams.get('host') ?? hostname;
  const isHere = host === '' || host.startsWith('/') || isLoopbackHost(host);
  return isHere || searchParams.has('sslmode') || searchParams.has('ssl')
    ? []
    : [
        `What is sent to the database on ${host} is not encrypted. Add sslmode=verify-full to DATABASE_URL, or sslmode=disable where the network is trusted.`,
      ];
}

/** Warnings for operators at startup. */
export function startWarnings(
  environment: Environment,
  { current }: ContentStore,
  scripts: { warnings: string[] },
): string[] {
  const { host } = environment;
  const isOpen = !isLoopbackHost(host) && anonymousAllowed(current, host);
  return [
    ...(isOpen
      ? [`Anyone who reaches ${host} may chat without signing in (anonymousAuth in platform.json).`]
      : []),
    ...(environment.trustProxy === true
      ? [
          'TRUST_PROXY=true trusts the address that every client claims, so rate limits by address have no effect. Set it to the number of your proxies, or to their addresses.',
        ]
      : []),
    ...(isProxyAuthUntrusted(environment, current)
      ? [
          'proxyAuth in platform.json has no effect: set TRUST_PROXY to the addresses of your proxies, or use signed headers (jwtProviders).',
        ]
      : []),
    ...(isCommonPassword(environment.adminPassword ?? '')
      ? ['ADMIN_PASSWORD is one of the most common passwords. Set another.']
      : []),
    ...databaseWarnings(environment),
    ...folderWarnings(environment),
    ...environment.telemetry.warnings,
    ...variableWarnings(environment, current),
    ...scripts.warnings,
  ];
}

/** Plain identity headers are only trusted from specific proxy addresses. */
function isProxyAuthUntrusted({ trustProxy }: Environment, { platform }: Contents): boolean {
  const { enabled, jwtProviders = [] } = platform.proxyAuth ?? {};
  return enabled === true && jwtProviders.length === 0 && typeof trustProxy !== 'string';
}
