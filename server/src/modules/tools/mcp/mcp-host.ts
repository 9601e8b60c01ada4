import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { McpServer } from '@knowhow/shared/config/mcp-config';
import { limitConcurrency } from '../../../platform/lib/limit-concurrency.ts';
import type { Log } from '../../../platform/lib/log.ts';
import type { SkillSource } from '../../skills/index.ts';
import type { ToolSource } from '../tool-source.ts';
import { Connection } from './connection.ts';
import { Connections } from './connections.ts';
import type { Unavailable } from './describe-failure.ts';
import { mountedSource } from './mounted-source.ts';
import { isPersonal } from './oauth/sign-in-servers.ts';
import { createServerPrompts, type ServerPrompts } from './offers/server-prompts.ts';
import { createServerResources, type ServerResources } from './offers/server-resources.ts';
import { type RefusedTool, readTools } from './read-tools.ts';
import type { Era, McpAuth, McpFetch, ServerSession } from './server-session.ts';
import { serverSource, titleOf } from './server-source.ts';
import { throttledLog } from './throttled-log.ts';
import { compareTools, type PinnedTools, type PinStore, reviewTool } from './tool-pins.ts';

/** The servers of `config/mcp.json`, as sources of tools and skills. */
export interface McpHost {
  /** The enabled servers, in file order. The array is replaced only when it changes. */
  readonly sources: readonly ToolSource[];
  /** Enabled servers that may provide skills. */
  readonly skillSources: readonly SkillSource[];
  readonly prompts: readonly ServerPrompts[];
  readonly resources: readonly ServerResources[];
  /** Call after a configuration change. Returns immediately. */
  applyConfiguration(): void;
  /** Call after a user signed in to a server: refreshes its tools. Returns immediately. */
  signedIn(server: string, user: string): void;
  /** Closes all connections and stops all started processes immediately. */
  close(): Promise<void>;
}

interface Dependencies extends SessionParts {
  servers: () => readonly McpServer[];
  pins: PinStore;
  log: Log;
}

interface Running {
  server: McpServer;
  connections: Connections;
  source: ToolSource;
  skills: SkillSource | undefined;
  prompts: ServerPrompts;
  resources: ServerResources;
  pinned: PinnedTools;
  refused: readonly RefusedTool[];
  /** Whether the persisted pins have been loaded. */
  isLoaded: boolean;
  /** Users for whom tools were listed since startup; the empty string if tools are shared. */
  askedFor: Set<string>;
}

/** Concurrent background connections. Starting a process costs CPU; waiting for HTTP does not. */
const maxConcurrent: Readonly<Record<McpServer['kind'], number>> = { http: 32, stdio: 4 };
/**
 * How long lists of skills and prompts count as fresh: longer for stdio servers, so that they can
 * go idle.
 */
const listFreshMs: Readonly<Record<McpServer['kind'], number>> = {
  http: 5 * 60_000,
  stdio: 60 * 60_000,
};
const noPins: Readonly<PinnedTools> = new Map();

export function createMcpHost(dependencies: Dependencies): McpHost {
  return new ServerPool(dependencies);
}

class ServerPool implements McpHost {
  sources: readonly ToolSource[] = [];
  skillSources: readonly SkillSource[] = [];
  prompts: readonly ServerPrompts[] = [];
  resources: readonly ServerResources[] = [];
  readonly #running = new Map<string, Running>();
  readonly #dependencies: Dependencies;
  readonly #warn: ReturnType<typeof throttledLog>;
  readonly #behind = {
    http: limitConcurrency(maxConcurrent.http),
    stdio: limitConcurrency(maxConcurrent.stdio),
  };
  #isClosed = false;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
    this.#warn = throttledLog(dependencies.log);
  }

  readonly #logFailure = (error: unknown): void =>
    this.#dependencies.log.error({ error }, 'a connection to an MCP server failed');

  readonly applyConfiguration = (): void => {
    const wanted = this.#dependencies.servers().filter(({ enabled }) => enabled);
    const order = wanted.map((server) => {
      const before = this.#running.get(server.id);
      return before && isDeepStrictEqual(before.server, server)
        ? before
        : this.#start(server, before);
    });
    const fresh = order.filter((one) => this.#running.get(one.server.id) !== one);
    for (const one of this.#running.values()) {
      if (!order.includes(one)) {
        this.#running.delete(one.server.id);
        one.connections.close().catch(this.#logFailure);
      }
    }
    for (const one of fresh) {
      this.#running.set(one.server.id, one);
    }
    this.sources = order.map(({ source }) => source);
    this.prompts = order.map(({ prompts }) => prompts);
    this.resources = order.map(({ resources }) => resources);
    this.skillSources = order.flatMap(({ skills }) => skills ?? []);
    if (fresh.length > 0) {
      this.#load(fresh).catch(this.#logFailure);
    }
  };

  readonly signedIn = (server: string, user: string): void => {
    const one = this.#running.get(server);
    if (one && isPersonal(one.server)) {
      one.askedFor.delete(user);
      this.#want(one, user);
    }
  };

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#running.values()].map(({ connections }) => connections.close()));
  }

  #start(server: McpServer, before: Running | undefined): Running {
    const connections = new Connections(
      server,
      (user) =>
        new Connection(server, {
          open: (options) => {
            const onPromptsChanged = () => one.prompts.forget(user);
            const given = { ...options, user, onPromptsChanged };
            return openSession(server, given, this.#dependencies);
          },
          onListed: async (listed) => {
            const { tools, refused } = readTools(listed);
            one.refused = refused;
            // Prefetch, so that the palette shows them immediately.
            one.prompts.list(user);
            await this.#pin(one, compareTools(one.pinned, tools, !isPersonal(server)));
          },
          onFailed: (failure) => this.#failed(one, user, failure),
          onLimit: (reason) =>
            this.#warn({ server: server.id, reason }, 'an MCP server exceeds a limit'),
        }),
    );
    const one: Running = {
      server,
      connections,
      source: serverSource({
        server,
        connections,
        pinned: () => one.pinned,
        refused: () => one.refused,
        wanted: (user) => this.#want(one, user),
        accept: (name) => this.#pin(one, reviewTool(one.pinned, name)),
      }),
      // Skills of personal servers are not mounted, since others must not see them.
      skills:
        server.skills && !isPersonal(server) ? this.#mount(server, connections.of('')) : undefined,
      prompts: createServerPrompts({
        server,
        title: titleOf(server),
        connections,
        freshMs: listFreshMs[server.kind],
        whenQuiet: this.#behind[server.kind],
      }),
      resources: createServerResources({ server, title: titleOf(server), connections }),
      pinned: before?.pinned ?? noPins,
      refused: [],
      isLoaded: false,
      askedFor: new Set(),
    };
    return one;
  }

  #failed(one: Running, user: string, { message: reason, needsSignIn }: Unavailable): void {
    const { server, askedFor } = one;
    if (needsSignIn && isPersonal(server)) {
      // A user who has not signed in yet is not worth logging.
      askedFor.delete(user);
      return;
    }
    this.#warn({ server: server.id, reason }, 'an MCP server cannot be used');
  }

  #mount(server: McpServer, connection: Connection): SkillSource {
    return mountedSource({
      id: server.id,
      key: randomUUID(),
      title: titleOf(server),
      minListMs: listFreshMs[server.kind],
      use: (run, signal) => connection.use(({ skills }) => run(skills), signal),
      runInBackground: this.#behind[server.kind],
      onIssue: (reason) =>
        this.#warn({ server: server.id, reason }, 'the skills of an MCP server are not all used'),
    });
  }

  async #pin(one: Running, now: PinnedTools): Promise<void> {
    const before = one.pinned;
    if (!isDeepStrictEqual(before, now)) {
      one.pinned = now;
      await this.#dependencies.pins.save(one.server.id, before, now);
    }
  }

  /** Loads pinned tools; servers without any are queried. */
  async #load(fresh: readonly Running[]): Promise<void> {
    const { pins, log } = this.#dependencies;
    try {
      const kept = await pins.load();
      for (const one of fresh) {
        one.pinned = one.pinned.size > 0 ? one.pinned : (kept.get(one.server.id) ?? noPins);
        one.isLoaded = true;
        if (one.pinned.size === 0 && !isPersonal(one.server)) {
          this.#want(one, '');
        }
      }
    } catch (error) {
      log.error({ error }, 'loading the pinned tools of MCP servers failed');
    }
  }

  /**
   * Lists a server's tools once per process, in the background. A stdio server is started only if
   * nothing is known about it.
   */
  #want(one: Running, user: string): void {
    const isCheap = one.server.kind === 'http' || one.pinned.size === 0;
    const asking = isPersonal(one.server) ? user : '';
    if (one.isLoaded && !one.askedFor.has(asking) && isCheap) {
      one.askedFor.add(asking);
      this.#behind[one.server.kind](async () => {
        if (!this.#isClosed) {
          await one.connections.of(asking).wake();
        }
      }).catch(this.#logFailure);
    }
  }
}

/** Dependencies of server connections. */
interface SessionParts {
  version: string;
  /**
   * Returns the `fetch` for an HTTP server.
   *
   * @param onExceeded called with a sentence when a response exceeds a limit
   */
  fetchFor: (server: McpServer, onExceeded: (why: string) => void) => McpFetch;
  /** The auth provider of a user, for servers to which each user signs in. */
  authFor?: (server: McpServer, user: string) => McpAuth | undefined;
  /** The home directory of a stdio server. Creates it. */
  homeOf: (server: string) => Promise<string>;
  /** The environment of a stdio server. */
  childEnvironment: (
    home: string,
    given: Readonly<Record<string, string>>,
  ) => Record<string, string>;
}

interface OpenOptions {
  /** Empty if the connection is shared. */
  user: string;
  signal: AbortSignal;
  verdict: Era | undefined;
  onClosed(why: string | undefined): void;
  onLimit(why: string): void;
  onToolsChanged(): void;
  onPromptsChanged(): void;
}

/** Opens a connection to a server. Loads the MCP library on first use. */
async function openSession(
  server: McpServer,
  options: OpenOptions,
  { version, fetchFor, authFor, homeOf, childEnvironment }: SessionParts,
): Promise<ServerSession> {
  const { connectServer } = await import('./connect-server.ts');
  const child = { env: {}, cwd: '' };
  if (server.kind === 'stdio') {
    const home = await homeOf(server.id);
    child.env = childEnvironment(home, server.env);
    child.cwd = server.cwd ?? home;
  }
  const auth = isPersonal(server) ? authFor?.(server, options.user) : undefined;
  const shared = { server, version, auth, child };
  const fetch = (onExceeded: (why: string) => void) => fetchFor(server, onExceeded);
  return connectServer({ ...options, ...shared, fetch });
}
