import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { McpServer } from '@knowhow/shared/config/mcp-config';
import type { PlatformConfig } from '@knowhow/shared/config/platform';
import type { Environment } from './env.ts';
import type { ResourceGate } from './modules/attachments/index.ts';
import type { ContentStore } from './modules/content/index.ts';
import type { Caller } from './modules/identity/index.ts';
import {
  canUseServer,
  childEnvironment,
  createMcpHost,
  createPinStore,
  getSignInServer,
  type McpAuth,
  type McpHost,
  mcpLimits,
  type OAuthConnections,
  type OAuthServer,
  openOAuth,
  type ServerPrompts,
  type SignInAnswer,
  signInServersFor,
  throttledLog,
} from './modules/tools/index.ts';
import type { Cluster } from './platform/cluster/cluster.ts';
import { createGuardedFetch, type GuardedFetch } from './platform/lib/guarded-fetch.ts';
import type { Log } from './platform/lib/log.ts';
import { hostAndPort, type OutboundRefused } from './platform/lib/outbound/outbound-rules.ts';
import type { Database } from './platform/storage/open-database.ts';

/** Guarded outgoing requests, and the MCP servers. */
export interface OpenServers {
  outbound: GuardedFetch;
  /** For identity providers. */
  toProviders: typeof fetch;
  mcp: McpHost;
  /** Servers that users sign in to, and their prompts and resources. */
  forUsers: {
    connections: OAuthConnections;
    signInServers: (caller: Caller) => readonly OAuthServer[];
    promptServers: (caller: Caller) => readonly ServerPrompts[];
    resourceServers: ResourceGate['resourceServers'];
  };
  close(): Promise<void>;
}

interface Dependencies {
  cluster: Cluster;
  content: ContentStore;
  database: Database;
  log: Log;
  version: string;
  /** A 32-byte key that encrypts users' tokens. */
  key: Buffer;
}

/** Limits for responses of identity providers. */
const issuerLimits = {
  totalMs: 20_000,
  firstByteMs: 15_000,
  maxBytes: 1024 * 1024,
  json: { maxDepth: 32, maxValues: 10_000, maxKeys: 1000, maxStringBytes: 256 * 1024 },
};

export function openServers(environment: Environment, parts: Dependencies): OpenServers {
  const { cluster, content, database, log, key: secretKey } = parts;
  const listed = () => content.current.platform.outbound.allowPrivate;
  const outbound = createGuardedFetch({
    allowPrivate: listed,
    log: log.child({ purpose: 'tool' }),
  });
  // Addresses in the servers' file were entered by an admin and are trusted, even private ones.
  const toServers = createGuardedFetch({
    log: log.child({ purpose: 'mcp' }),
    allowPrivate: () => [...listed(), ...content.current.mcpServers.flatMap(hostsOf)],
  });
  // The same applies to addresses of identity providers.
  const toProviders = createGuardedFetch({
    log: log.child({ purpose: 'sign-in' }),
    allowPrivate: () => [...listed(), ...issuerHosts(content.current.platform)],
  });
  const warn = throttledLog(parts.log);
  // Sign-in libraries swallow the reason of a failed response.
  const onExceeded = ({ message: reason }: OutboundRefused) =>
    warn({ server: reason.split(' ')[0] ?? '', reason }, 'a sign-in provider exceeds a limit');
  const signInLimits = { ...issuerLimits, onExceeded };
  const toIssuers = toServers.within(signInLimits);
  const oauth = openOAuth({ database, cluster, fetch: toIssuers, secretKey });
  const authFor = (server: McpServer, user: string) => {
    const signedInTo = getSignInServer(server);
    return signedInTo && oauth.tokensFor(user, signedInTo);
  };
  const mcp = openMcp(environment, { ...parts, guarded: toServers, authFor });
  const isFor = (caller: Caller) => {
    const { sources = {} } = content.current.tools;
    return ({ server }: { server: McpServer }) =>
      sources[server.id]?.enabled !== false && canUseServer(server, caller);
  };
  const forUsers = {
    connections: {
      ...oauth,
      end: async (user: string, answer: SignInAnswer) => {
        const server = await oauth.end(user, answer);
        mcp.signedIn(server, user);
        return server;
      },
    },
    signInServers: (caller: Caller) => signInServersFor(content.current.mcpServers, caller),
    promptServers: (caller: Caller) => mcp.prompts.filter(isFor(caller)),
    resourceServers: (caller: Caller) => mcp.resources.filter(isFor(caller)),
  };
  const close = async () => {
    await Promise.all([
      mcp.close(),
      ...[outbound, toServers, toProviders].map((each) => each.close()),
    ]);
  };
  return { outbound, toProviders: toProviders.within(signInLimits), mcp, forUsers, close };
}

function hostsOf(server: McpServer): string[] {
  return server.kind === 'http' ? [hostAndPort(new URL(server.url))] : [];
}

function issuerHosts({ oidcAuth, proxyAuth }: PlatformConfig): string[] {
  const issuers = (oidcAuth?.providers ?? []).map(({ issuer = '' }) => issuer);
  const keys = (proxyAuth?.jwtProviders ?? []).map(({ jwkUrl }) => jwkUrl);
  return [...issuers, ...keys]
    .filter((address) => URL.canParse(address))
    .map((address) => hostAndPort(new URL(address)));
}

interface McpDependencies {
  content: ContentStore;
  database: Database;
  log: Log;
  version: string;
  /** Guarded fetch for MCP servers. */
  guarded: GuardedFetch;
  authFor: (server: McpServer, user: string) => McpAuth | undefined;
}

/** Opens the MCP servers of `config/mcp.json`. Each stdio server gets its own home directory. */
function openMcp(
  { dataDirectory, variables }: Environment,
  { content, database, log, version, guarded, authFor }: McpDependencies,
): McpHost {
  const host = createMcpHost({
    servers: () => content.current.mcpServers,
    pins: createPinStore(database),
    log,
    version,
    authFor,
    // A response may arrive only once the tool is done, in one piece.
    fetchFor: ({ limits: { maxCallMs } }, onExceeded) =>
      guarded.within({
        firstByteMs: maxCallMs,
        totalMs: maxCallMs,
        maxBytes: mcpLimits.maxBytes,
        json: mcpLimits,
        streams: true,
        onExceeded: ({ message }) => onExceeded(message),
      }),
    homeOf: async (server) => {
      const home = join(dataDirectory, 'mcp', server);
      await mkdir(home, { recursive: true, mode: 0o700 });
      return home;
    },
    childEnvironment: (home, given) => childEnvironment(variables, home, given),
  });
  host.applyConfiguration();
  return host;
}
