import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { addScriptedModel, type Knowhow, startKnowhow } from '../start-knowhow.ts';
import { knowhowTarget, openAiTarget, runChats, type Target } from './chat-load.ts';

export type TargetName = Target['name'];

const sessions = 50;

/** The processes of a bench: provider, bare relay and Knowhow, and the load's targets. */
export class Stand {
  readonly knowhow: Knowhow;
  private readonly provider: Helper;
  private readonly relay: Helper;
  private warmTargets: Promise<Target[]> | undefined;

  /** Node arguments that write a CPU profile of a server, if requested. */
  readonly profileArgs: string[];

  constructor(knowhow: Knowhow, provider: Helper, relay: Helper, profileArgs: string[]) {
    this.profileArgs = profileArgs;
    this.knowhow = knowhow;
    this.provider = provider;
    this.relay = relay;
  }

  /** URL of the provider. */
  get providerUrl(): string {
    return this.provider.url;
  }

  /** PID of the process behind a target, to measure its cost. */
  getPid(target: 'relay' | 'knowhow'): number {
    return target === 'relay' ? this.relay.pid : this.knowhow.pid;
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
    await this.knowhow.end('SIGTERM');
    await this.knowhow.dispose();
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
      knowhowTarget(this.knowhow.url, cookies),
    ];
    for (const target of targets) {
      await runChats(target, { chats: sessions, inARow: 6, tokens: 20 });
      await runChats(target, { chats: 20, tokens: 500 });
    }
    return targets;
  }
}

/** @param profileDir folder for a CPU profile of Knowhow's process, written when it ends */
export async function startStand(profileDir?: string): Promise<Stand> {
  const profileArgs = profileDir ? ['--cpu-prof', `--cpu-prof-dir=${profileDir}`] : [];
  const provider = await startHelper('./stamping-provider.js');
  const relay = await startHelper('./bare-relay.js', provider.url);
  const knowhow = await startKnowhow({
    prepare: async (contentsDir) => {
      await addScriptedModel(contentsDir, provider.url);
      await switchRateLimitsOff(contentsDir);
    },
    nodeArgs: profileArgs,
  });
  return new Stand(knowhow, provider, relay, profileArgs);
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

/** All the load comes from one address, whereas real users come from many. */
export async function switchRateLimitsOff(contentsDir: string): Promise<void> {
  const file = join(contentsDir, 'config', 'platform.json');
  const platform = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
  const rateLimit = { requests: 0, turns: 0, failedLogins: 0, streams: 0 };
  await writeFile(file, JSON.stringify({ ...platform, rateLimit }));
}

export async function anonymousCookie(url: string): Promise<string> {
  const response = await fetch(`${url}/api/auth/me`);
  const cookie = response.headers.getSetCookie()[0]?.split(';')[0];
  if (!cookie) {
    throw new Error('Knowhow gave an anonymous visitor no session cookie.');
  }
  return cookie;
}
