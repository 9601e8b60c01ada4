import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { McpServer } from '@knowhow/shared/config/mcp-config';
import { limitConcurrency } from '../lib/limit-concurrency.ts';
import type { Log } from '../lib/log.ts';
import type { SkillSource } from '../skill-store/skill-source.ts';
import type { ToolSource } from '../tools/tool-source.ts';
import { Connection } from './connection.ts';
import { Connections } from './connections.ts';
import type { Unavailable } from './describe-failure.ts';
import { mountedSource } from './mounted-source.ts';
import { isPersonal } from './oauth/sign-in-servers.ts';
import { createServerPrompts, type ServerPrompts } from './offers/server-prompts.ts';
import { createServerResources, type ServerResources } from './offers/server-resources.ts';
import { openSession, type SessionParts } from './open-session.ts';
import { type RefusedTool, readTools } from './read-tools.ts';
import { serverSource, titleOf } from './server-source.ts';
import { throttledLog } from './throttled-log.ts';
import { compareTools, type KeptPins, type PinnedTools, reviewTool } from './tool-pins.ts';

/** The servers of `config/mcp.json`, as sources of tools and of skills. */
export interface McpHost {
  /** Those that are switched on, in the order of the file. The same as long as they are. */
  readonly sources: readonly ToolSource[];
  /** Those of them whose skills are allowed. */
  readonly skillSources: readonly SkillSource[];
  /** The prompts of each. */
  readonly prompts: readonly ServerPrompts[];
  /** The resources of each. */
  readonly resources: readonly ServerResources[];
  /** To be called when the configuration has changed. Returns at once. */
  follow(): void;
  /** Somebody has signed in to a server: it is asked for its tools. Returns at once. */
  signedIn(server: string, user: string): void;
  /** Ends all connections at once, and what was started. */
  close(): Promise<void>;
}

interface Dependencies extends SessionParts {
  servers: () => readonly McpServer[];
  pins: KeptPins;
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
  /** Whether it is known what is kept of its tools. */
  isLoaded: boolean;
  /** For whom its tools have been asked for since the start; nobody where they are the same for all. */
  askedFor: Set<string>;
}

/** As many are connected to at once that nobody waits for: a start costs this machine something, a wait does not. */
const atOnce: Readonly<Record<McpServer['kind'], number>> = { http: 32, stdio: 4 };
/** A list of skills or prompts counts so long: one that is started here is not kept awake for it. */
const listsCountMs: Readonly<Record<McpServer['kind'], number>> = {
  http: 5 * 60_000,
  stdio: 60 * 60_000,
};
const nothing: Readonly<PinnedTools> = new Map();

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
    http: limitConcurrency(atOnce.http),
    stdio: limitConcurrency(atOnce.stdio),
  };
  #isClosed = false;

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies;
    this.#warn = throttledLog(dependencies.log);
  }

  readonly #logFailure = (error: unknown): void =>
    this.#dependencies.log.error({ error }, 'a connection to an MCP server failed');

  readonly follow = (): void => {
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
            // Whoever opens the palette later finds them there.
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
      // What one user may see is no skill for others.
      skills:
        server.skills && !isPersonal(server) ? this.#mount(server, connections.of('')) : undefined,
      prompts: createServerPrompts({
        server,
        title: titleOf(server),
        connections,
        freshMs: listsCountMs[server.kind],
        whenQuiet: this.#behind[server.kind],
      }),
      resources: createServerResources({ server, title: titleOf(server), connections }),
      pinned: before?.pinned ?? nothing,
      refused: [],
      isLoaded: false,
      askedFor: new Set(),
    };
    return one;
  }

  #failed(one: Running, user: string, { message: reason, needsSignIn }: Unavailable): void {
    const { server, askedFor } = one;
    if (needsSignIn && isPersonal(server)) {
      // That they have not signed in yet is nothing for the log.
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
      leastMs: listsCountMs[server.kind],
      use: (run, signal) => connection.use(({ skills }) => run(skills), signal),
      whenQuiet: this.#behind[server.kind],
      onFault: (reason) =>
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

  /** What is known of their tools from before; those of which nothing is known are asked. */
  async #load(fresh: readonly Running[]): Promise<void> {
    const { pins, log } = this.#dependencies;
    try {
      const kept = await pins.load();
      for (const one of fresh) {
        one.pinned = one.pinned.size > 0 ? one.pinned : (kept.get(one.server.id) ?? nothing);
        one.isLoaded = true;
        if (one.pinned.size === 0 && !isPersonal(one.server)) {
          this.#want(one, '');
        }
      }
    } catch (error) {
      log.error({ error }, 'the tools of MCP servers are not known');
    }
  }

  /**
   * Asks a server for its tools, once since the start and behind everybody's back: one that is reached by an
   * address, and one that would have to be started only when nothing is known of it.
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
