import { mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { mcpConfigSchema, mcpServersOf } from '@knowhow/shared/mcp-config';
import { onTestFinished } from 'vitest';
import { createLog, type Log } from '../lib/log.ts';
import { childEnvironment } from '../mcp/child-environment.ts';
import { createMcpHost, type McpHost } from '../mcp/mcp-host.ts';
import { createKeptPins } from '../mcp/tool-pins.ts';
import { openDatabase } from '../storage/open-database.ts';
import type { ToolResult } from '../tools/tool.ts';
import type { SourceTool, ToolAccess, ToolCall } from '../tools/tool-source.ts';
import { waitFor } from './wait-for.ts';
import { temporaryFolder } from './write-files.ts';

export interface TestHost extends McpHost {
  /** Where it keeps its database and the homes of what it starts. */
  folder: string;
  /** Changes the configuration as a change of the file does. */
  configure(config: unknown): void;
  /** The tools of a server, as soon as there are any. */
  tools(server: string): Promise<readonly SourceTool[]>;
  /** The tools of a server as they are known now. */
  known(server: string, groups?: string[]): Promise<readonly SourceTool[]>;
  /** Calls a tool as a turn does. */
  call(
    server: string,
    tool: string,
    input?: unknown,
    call?: Partial<ToolCall>,
  ): Promise<ToolResult>;
}

interface Options {
  log?: Log;
  /** To go on where another host has ended. */
  folder?: string;
  variables?: Record<string, string>;
}

/** A host of the servers of this configuration, as `config/mcp.json` holds it; closed after the test. */
export async function openTestHost(config: unknown, options: Options = {}): Promise<TestHost> {
  const folder = options.folder ?? (await temporaryFolder());
  const database = await openDatabase(folder);
  const { variables = {} } = options;
  let servers = mcpServersOf(mcpConfigSchema.parse(config));
  const host = createMcpHost({
    servers: () => servers,
    pins: createKeptPins(database),
    log: options.log ?? createLog('silent'),
    version: '0.0.0',
    fetch: (url, init) => fetch(url, init),
    homeOf: async (server) => {
      const home = join(folder, 'mcp', server);
      await mkdir(home, { recursive: true });
      return home;
    },
    childEnvironment: (home, given) => childEnvironment(variables, home, given),
  });
  let isClosed = false;
  const close = async () => {
    if (!isClosed) {
      isClosed = true;
      await host.close();
      await database.destroy();
    }
  };
  onTestFinished(close);
  host.follow();
  const known = async (server: string, groups: string[] = []) => {
    const source = host.sources.find(({ id }) => id === server);
    // Of an access it looks at the groups alone.
    return (await source?.list({ caller: { groups } } as unknown as ToolAccess)) ?? [];
  };
  const tools = async (server: string) => {
    await waitFor(async () => (await known(server)).length > 0);
    return known(server);
  };
  return {
    folder,
    get sources() {
      return host.sources;
    },
    follow: () => host.follow(),
    report: () => host.report(),
    review: (...review) => host.review(...review),
    reconnect: (server) => host.reconnect(server),
    close,
    configure: (changed) => {
      servers = mcpServersOf(mcpConfigSchema.parse(changed));
      host.follow();
    },
    tools,
    known,
    call: async (server, name, input = {}, call = {}) => {
      const tool = (await tools(server)).find((each) => each.name === name);
      if (!tool) {
        throw new Error(`There is no tool ${name}.`);
      }
      return tool.run(input, callOf(call));
    },
  };
}

/** What a turn hands to a tool that it calls. */
function callOf(given: Partial<ToolCall>): ToolCall {
  const call: Partial<ToolCall> = {
    signal: new AbortController().signal,
    progress: () => undefined,
    ask: async () => ({ action: 'cancel' }),
    conversationId: 'conversation',
    ...given,
  };
  return call as ToolCall;
}

const { resolve } = createRequire(import.meta.url);

/** The script of a server from the registry, such as `everything`. */
function serverScript(name: string): string {
  return join(
    dirname(resolve(`@modelcontextprotocol/server-${name}/package.json`)),
    'dist/index.js',
  );
}

/** How a server from the registry is started. */
export function realServer(name: string, ...args: string[]) {
  return { command: process.execPath, args: [serverScript(name), ...args] };
}

/** How one of the servers of ours is started that behave badly, or newly. */
export function ownServer(script: string, ...args: string[]) {
  const path = fileURLToPath(new URL(`mcp/${script}.mjs`, import.meta.url));
  return { command: process.execPath, args: [path, ...args] };
}
