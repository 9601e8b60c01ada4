import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { McpServer } from '@knowhow/shared/config/mcp-config';
import type { Environment } from './env.ts';
import type { ContentStore } from './modules/content/index.ts';
import {
  childEnvironment,
  createMcpHost,
  createPinStore,
  type McpAuth,
  type McpHost,
  mcpLimits,
} from './modules/tools/index.ts';
import type { GuardedFetch } from './platform/lib/guarded-fetch.ts';
import type { Log } from './platform/lib/log.ts';
import type { Database } from './platform/storage/open-database.ts';

interface Dependencies {
  content: ContentStore;
  database: Database;
  log: Log;
  version: string;
  /** Guarded fetch for MCP servers. */
  guarded: GuardedFetch;
  authFor: (server: McpServer, user: string) => McpAuth | undefined;
}

/** Opens the MCP servers of `config/mcp.json`. Each stdio server gets its own home directory. */
export function openMcp(
  { dataDirectory, variables }: Environment,
  { content, database, log, version, guarded, authFor }: Dependencies,
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
