import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ChatEvent } from '@knowhow/shared/chat/chat';
import { listMcpServers, type McpServer } from '@knowhow/shared/config/mcp-config';
import type { Question, QuestionAnswer } from '@knowhow/shared/config/tools';
import { onTestFinished } from 'vitest';
import { mcpFileSchema } from '../modules/content/mcp-file-schema.ts';
import { createFiles } from '../modules/conversations/files.ts';
import type { Caller } from '../modules/identity/caller.ts';
import type { SkillView } from '../modules/skills/skill-view.ts';
import { callLimits } from '../modules/tools/call-clock.ts';
import { callWithoutTurn } from '../modules/tools/call-without-turn.ts';
import { childEnvironment } from '../modules/tools/mcp/child-environment.ts';
import { createMcpHost, type McpHost } from '../modules/tools/mcp/mcp-host.ts';
import { mcpLimits } from '../modules/tools/mcp/mcp-limits.ts';
import type { McpAuth } from '../modules/tools/mcp/server-session.ts';
import { createPinStore } from '../modules/tools/mcp/tool-pins.ts';
import { runTool } from '../modules/tools/run-tool.ts';
import type { Tool, ToolResult } from '../modules/tools/tool.ts';
import { createToolConsents } from '../modules/tools/tool-consents.ts';
import { createToolQuestions, type ToolQuestions } from '../modules/tools/tool-questions.ts';
import type { SourceState, ToolAccess, ToolSource } from '../modules/tools/tool-source.ts';
import { createToolbox } from '../modules/tools/toolbox.ts';
import { createLocalCluster } from '../platform/cluster/local-cluster.ts';
import { createGuardedFetch } from '../platform/lib/guarded-fetch.ts';
import { createLog, type Log } from '../platform/lib/log.ts';
import type { Database } from '../platform/storage/open-database.ts';
import { openTestDatabase } from './open-test-database.ts';
import { waitFor } from './wait-for.ts';
import { temporaryFolder } from './write-files.ts';

export interface TestHost extends Omit<McpHost, 'resources'> {
  /** Contains its database and the servers' home directories. */
  folder: string;
  /** Applies a configuration change. */
  configure(config: unknown): void;
  /** Waits for the tools of a server. */
  tools(server: string): Promise<readonly Tool[]>;
  /** The currently known tools of a server. */
  known(server: string, groups?: string[]): Promise<readonly Tool[]>;
  source(server: string): ToolSource;
  /** The state of a server as shown to admins. */
  state(server: string): SourceState;
  /** Calls a tool like a turn. */
  call(server: string, tool: string, input?: unknown, call?: TestCall): Promise<ToolResult>;
}

interface TestCall {
  signal?: AbortSignal;
  progress?: (text: string) => void;
  ask?: (question: Question) => Promise<QuestionAnswer>;
  /** The caller. */
  user?: string;
}

interface Options {
  log?: Log;
  /** Continues with the state of an earlier host. */
  folder?: string;
  variables?: Record<string, string>;
  authFor?: (server: McpServer, user: string) => McpAuth | undefined;
}

/** An MCP host with a configuration in the format of `config/mcp.json`; closed after the test. */
export async function openTestHost(config: unknown, options: Options = {}): Promise<TestHost> {
  const folder = options.folder ?? (await temporaryFolder());
  const database = await openTestDatabase(folder);
  let servers = listMcpServers(mcpFileSchema.parse(config));
  const host = createMcpHost(partsOf(folder, database, { ...options, servers: () => servers }));
  let isClosed = false;
  const close = async () => {
    if (!isClosed) {
      isClosed = true;
      await host.close();
      await database.destroy();
    }
  };
  onTestFinished(close);
  host.applyConfiguration();
  const source = (server: string) => {
    const found = host.sources.find(({ id }) => id === server);
    if (!found) {
      throw new Error(`There is no server ${server}.`);
    }
    return found;
  };
  // Only the groups of the access matter here.
  const known = (server: string, groups: string[] = []) =>
    source(server).list({ caller: { id: 'user', groups } } as unknown as ToolAccess);
  const tools = async (server: string) => {
    await waitFor(async () => (await known(server)).length > 0);
    return known(server);
  };
  const services = servicesOf(database);
  return {
    folder,
    get sources() {
      return host.sources;
    },
    get prompts() {
      return host.prompts;
    },
    get skillSources() {
      return host.skillSources;
    },
    applyConfiguration: () => host.applyConfiguration(),
    signedIn: (server, user) => host.signedIn(server, user),
    close,
    configure: (changed) => {
      servers = listMcpServers(mcpFileSchema.parse(changed));
      host.applyConfiguration();
    },
    tools,
    known,
    source,
    state: (server) => source(server).state(),
    call: async (server, name, input = {}, call = {}) => {
      const tool = (await tools(server)).find((each) => each.name === name);
      if (!tool) {
        throw new Error(`There is no tool ${name}.`);
      }
      const offered = { id: `${server}/${name}`, name, source: source(server), tool };
      const running = await runningCall(call, { database, questions: services.questions });
      const made = { id: 'call', name, input };
      return (await runTool(offered, made, { running, services })).result;
    },
  };
}

/** Dependencies of a host, as in the product. */
function partsOf(
  folder: string,
  database: Database,
  { servers, log, variables = {}, authFor }: Options & { servers: () => readonly McpServer[] },
) {
  const guarded = createGuardedFetch({ allowPrivate: () => ['127.0.0.0/8', 'localhost'] });
  onTestFinished(() => guarded.close());
  return {
    servers,
    pins: createPinStore(database),
    log: log ?? createLog('silent'),
    version: '0.0.0',
    ...(authFor ? { authFor } : {}),
    fetchFor: (_server: McpServer, onExceeded: (why: string) => void) =>
      guarded.within({
        maxBytes: mcpLimits.maxBytes,
        json: mcpLimits,
        streams: true,
        onExceeded: ({ message }) => onExceeded(message),
      }),
    homeOf: async (server: string) => {
      const home = join(folder, 'mcp', server);
      await mkdir(home, { recursive: true });
      return home;
    },
    childEnvironment: (home: string, given: Readonly<Record<string, string>>) =>
      childEnvironment(variables, home, given),
  };
}

/** Dependencies of calls, as in the product, but without consent. */
function servicesOf(database: Database) {
  const toolbox = createToolbox({ sources: () => [], config: () => ({}) });
  return {
    toolbox: { ...toolbox, asks: () => false },
    consents: createToolConsents(database, () => database),
    questions: createToolQuestions(() => database, createLocalCluster()),
    audit: async () => undefined,
    limits: callLimits,
    files: createFiles(database),
  };
}

/** A call whose events are answered on behalf of the user. */
async function runningCall(
  { signal = new AbortController().signal, progress, ask, user = 'user' }: TestCall,
  { database, questions }: { database: Database; questions: ToolQuestions },
) {
  const conversationId = randomUUID();
  const at = new Date().toISOString();
  const fields = { owner: 'owner', app_id: 'chat', model: 'scripted', title: '' };
  await database
    .insertInto('conversations')
    .values({
      id: conversationId,
      ...fields,
      created_at: at,
      updated_at: at,
      pinned: 0,
      archived: 0,
    })
    .execute();
  const emit = (event: ChatEvent) => {
    if (event.type === 'tool.progress') {
      progress?.(event.text);
    } else if (event.type === 'tool.question') {
      void (async () => {
        const answer = (await ask?.(event)) ?? { action: 'cancel' };
        await questions.answer(conversationId, event.question, answer);
      })();
    }
  };
  // Servers see neither the caller nor the skills.
  const caller = { id: user } as Caller;
  const skills = callWithoutTurn({} as SkillView, []);
  return { ...skills, signal, emit, callerNow: async () => caller, conversationId };
}

const { resolve } = createRequire(import.meta.url);

/** The script of a server package, such as `everything`. */
function serverScript(name: string): string {
  return join(
    dirname(resolve(`@modelcontextprotocol/server-${name}/package.json`)),
    'dist/index.js',
  );
}

/** How to start a server package. */
export function realServer(name: string, ...args: string[]) {
  return { command: process.execPath, args: [serverScript(name), ...args] };
}

/** How to start one of our fake servers. */
export function ownServer(script: string, ...args: string[]) {
  const path = fileURLToPath(new URL(`mcp/${script}.mjs`, import.meta.url));
  return { command: process.execPath, args: [path, ...args] };
}
