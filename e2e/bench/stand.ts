import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import {
  addScriptedModel,
  type Knowhow,
  startKnowhow,
  switchRateLimitsOff,
} from '../start-knowhow.ts';
import { knowhowTarget, openAiTarget, runChats, type Target } from './chat-load.ts';
import { startNodes } from './node-stand.ts';
import { startPostgres } from './own-postgres.ts';

export type TargetName = Target['name'];

const sessions = 50;

/** The processes of a bench: provider, bare relay and Knowhow, and the load's targets. */
export class Stand {
  /** The first server. */
  readonly knowhow: Knowhow;
  private readonly servers: Servers;
  private readonly provider: Helper;
  private readonly relay: Helper;
  private warmTargets: Promise<Target[]> | undefined;

  /** Node arguments that write a CPU profile of a server, if requested. */
  readonly profileArgs: string[];

  constructor(servers: Servers, provider: Helper, relay: Helper, profileArgs: string[]) {
    this.profileArgs = profileArgs;
    this.servers = servers;
    this.knowhow = servers.nodes[0];
    this.provider = provider;
    this.relay = relay;
  }

  /** URL of the provider. */
  get providerUrl(): string {
    return this.provider.url;
  }

  /** PIDs of the processes behind a target, to measure their cost. */
  getPids(target: 'relay' | 'knowhow'): number[] {
    return target === 'relay' ? [this.relay.pid] : this.servers.nodes.map(({ pid }) => pid);
  }

  /**
   * Samples every target `count` times, one after the other, each round starting with another target. Warms
   * up every target before its first sample.
   */
  async rounds<Sample>(
    count: number,
    take: (target: Target) => Promise<Sample>,
  ): Promise<Record<TargetName, Sample[]>> {
    this.warmTargets ??= this.warmUp();
    const targets = await this.warmTargets;
    const samples: Record<TargetName, Sample[]> = { direct: [], relay: [], knowhow: [] };
    for (let round = 0; round < count; round++) {
      for (let turn = 0; turn < targets.length; turn++) {
        const target = targets[(round + turn) % targets.length];
        if (target) {
          samples[target.name].push(await take(target));
        }
      }
    }
    return samples;
  }

  /** Shuts Knowhow down gracefully, so that a profiler in it can write its file. */
  async stop(): Promise<void> {
    await Promise.all(this.servers.nodes.map((node) => node.end('SIGTERM')));
    await this.servers.stop();
    this.relay.child.disconnect();
    this.provider.child.disconnect();
  }

  private async warmUp(): Promise<Target[]> {
    const cookies = await Promise.all(
      Array.from({ length: sessions }, () => anonymousCookie(this.knowhow.url)),
    );
    const targets = [
      openAiTarget('direct', this.provider.url),
      openAiTarget('relay', this.relay.url),
      knowhowTarget(
        this.servers.nodes.map(({ url }) => url),
        cookies,
      ),
    ];
    for (const target of targets) {
      await runChats(target, { chats: sessions, inARow: 6, tokens: 20 });
      await runChats(target, { chats: 20, tokens: 500 });
    }
    return targets;
  }
}

/** Databases and numbers of servers to measure. */
export const databases = ['SQLite', 'PostgreSQL', 'nodes'] as const;
export type DatabaseName = (typeof databases)[number];

interface Servers {
  nodes: [Knowhow, ...Knowhow[]];
  stop(): Promise<void>;
}

/**
 * @param profileDir folder for a CPU profile of Knowhow's process, written when it ends
 * @param on three nodes share a PostgreSQL, and each user chats with one of them
 */
export async function startStand(profileDir?: string, on: DatabaseName = 'SQLite'): Promise<Stand> {
  const profileArgs = profileDir ? ['--cpu-prof', `--cpu-prof-dir=${profileDir}`] : [];
  const provider = await startHelper('./stamping-provider.js');
  const relay = await startHelper('./bare-relay.js', provider.url);
  const servers = await startServers(on, provider.url, profileArgs);
  return new Stand(servers, provider, relay, profileArgs);
}

async function startServers(
  on: DatabaseName,
  providerUrl: string,
  nodeArgs: string[],
): Promise<Servers> {
  if (on === 'nodes') {
    const { nodes, stop } = await startNodes({ count: 3, providerUrl, nodeArgs: () => nodeArgs });
    return { nodes: nodes as Servers['nodes'], stop };
  }
  const postgres = on === 'PostgreSQL' ? await startPostgres() : undefined;
  const starting = startKnowhow({
    prepare: async (contentsDir) => {
      await addScriptedModel(contentsDir, providerUrl);
      await switchRateLimitsOff(contentsDir);
    },
    environment: postgres
      ? { DATABASE_URL: postgres.url, SECRET_KEY: randomBytes(32).toString('base64') }
      : {},
    nodeArgs,
  });
  const knowhow = await starting.catch(async (error: unknown) => {
    await postgres?.stop();
    throw error;
  });
  return {
    nodes: [knowhow],
    stop: async () => {
      await knowhow.dispose();
      await postgres?.stop();
    },
  };
}

export interface Helper {
  child: ChildProcess;
  pid: number;
  url: string;
}

/** Forks a compiled file in this folder; it reports its port when it listens. */
export async function startHelper(file: string, ...args: string[]): Promise<Helper> {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), args);
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  return { child, pid: child.pid ?? 0, url: `http://127.0.0.1:${port}/v1` };
}

export async function anonymousCookie(url: string): Promise<string> {
  const response = await fetch(`${url}/api/auth/me`);
  const cookie = response.headers.getSetCookie()[0]?.split(';')[0];
  if (!cookie) {
    throw new Error('Knowhow gave an anonymous visitor no session cookie.');
  }
  return cookie;
}
