import { folderWarnings } from './check-folders.ts';
import { type Environment, variableNames } from './env.ts';
import type { ContentStore, Contents } from './modules/content/index.ts';
import { anonymousAllowed, isCommonPassword } from './modules/identity/index.ts';
import { modelKeyNames, providers } from './modules/models/index.ts';
import { isLoopbackHost } from './platform/lib/is-loopback-host.ts';
import { nearestName } from './platform/lib/nearest-name.ts';

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
    ...(environment.mail && environment.publicUrl === undefined
      ? ['E-mail has no links, because PUBLIC_URL is not set.']
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

/**
 * Names that are used without being listed: for placeholders, MCP servers, identity providers and
 * other programs.
 */
const freeNames = /^(?:KNOWHOW|MCP|OIDC|OTEL|NODE|COMPOSE|DOCKER|PG|LC|npm)_/;
const otherPrograms: readonly string[] = [
  'TZ',
  'LANG',
  'PATH',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
];
const telemetryNames: readonly string[] = [
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'OTEL_EXPORTER_OTLP_COMPRESSION',
  'OTEL_EXPORTER_OTLP_CERTIFICATE',
  'OTEL_EXPORTER_OTLP_TIMEOUT',
  'OTEL_METRIC_EXPORT_INTERVAL',
  'OTEL_TRACES_SAMPLER',
  'OTEL_TRACES_SAMPLER_ARG',
  'OTEL_SERVICE_NAME',
  'OTEL_RESOURCE_ATTRIBUTES',
  'OTEL_SDK_DISABLED',
];
/** In the process environment, shorter names resemble others too easily. */
const minLength = 8;

/**
 * Warns of variables without effect, probably misspelled: any in `.env`, and those of the process
 * environment that resemble a known name.
 */
function variableWarnings(
  { variables, fileVariables }: Pick<Environment, 'variables' | 'fileVariables'>,
  { models, platform }: Contents,
): string[] {
  const modelKeys = [...models.values()].flatMap(modelKeyNames);
  const listed = platform.placeholders;
  const known = new Set([...variableNames, ...telemetryNames, ...vendorKeys(), ...modelKeys]);
  return Object.keys(variables).flatMap((name) => {
    if (known.has(name) || listed.includes(name)) {
      return [];
    }
    const isOfFile = fileVariables.includes(name);
    const near = nearest(name, known, isOfFile);
    if (near !== undefined) {
      return [`The variable ${name} has no effect. Did you mean ${near}?`];
    }
    const isFree = freeNames.test(name) || name.endsWith('_API_KEY');
    return isOfFile && !isFree && !otherPrograms.includes(name.toUpperCase())
      ? [`The variable ${name} in .env has no effect: Knowhow knows no such name.`]
      : [];
  });
}

function vendorKeys(): string[] {
  const keys = providers.map((each) => ('keyVariable' in each ? each.keyVariable : undefined));
  return [...keys.filter((key) => key !== undefined), 'EMBEDDER_API_KEY'];
}

function nearest(name: string, known: ReadonlySet<string>, isOfFile: boolean): string | undefined {
  const isShort = name.length < minLength;
  return isShort && !isOfFile ? undefined : nearestName(name, known, isShort ? 1 : 2);
}
