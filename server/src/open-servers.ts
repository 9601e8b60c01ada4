import type { McpServer } from '@knowhow/shared/mcp-config';
import type { ContentStore } from './content/content-store.ts';
import type { Environment } from './env.ts';
import { createGuardedFetch, type GuardedFetch } from './lib/guarded-fetch.ts';
import type { Log } from './lib/log.ts';
import type { McpHost } from './mcp/mcp-host.ts';
import { openMcp } from './open-mcp.ts';
import type { Database } from './storage/open-database.ts';

/** The way out for tools, and the servers beyond it. */
export interface OpenServers {
  outbound: GuardedFetch;
  mcp: McpHost;
  close(): Promise<void>;
}

interface Dependencies {
  content: ContentStore;
  database: Database;
  log: Log;
  version: string;
}

export function openServers(environment: Environment, parts: Dependencies): OpenServers {
  const { content } = parts;
  const listed = () => content.current.platform.outbound?.allowPrivate ?? [];
  const outbound = createGuardedFetch({ allowPrivate: listed });
  // Whoever may write the file of servers means the addresses in it, also those of the local network.
  const toServers = createGuardedFetch({
    allowPrivate: () => [...listed(), ...content.current.mcpServers.flatMap(hostsOf)],
  });
  const mcp = openMcp(environment, { ...parts, guarded: toServers });
  const close = async () => {
    await Promise.all([mcp.close(), outbound.close(), toServers.close()]);
  };
  return { outbound, mcp, close };
}

function hostsOf(server: McpServer): string[] {
  return server.kind === 'http' ? [new URL(server.url).host] : [];
}
