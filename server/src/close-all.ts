import type { OpenRunner } from './open-runner.ts';
import type { OpenServers } from './open-servers.ts';
import type { OpenSkills } from './open-skills.ts';
import type { OpenStores } from './open-stores.ts';
import type { FolderWatch } from './platform/lib/watch-folders.ts';

interface Closed {
  conversing: { close(): Promise<void> };
  people: { close(): Promise<void> };
  scheduledBackups: { stop(): unknown } | undefined;
  skillBin: { stop(): unknown };
  triggerSchedule: { stop(): unknown };
  sourceSync: { stop(): unknown };
  sourceHooks: { stop(): void };
  servers: OpenServers;
  watch: FolderWatch;
  opened: OpenSkills;
  scripts: OpenRunner;
  stores: OpenStores;
}

/** Closes in reverse order of dependency: turns and calls first. */
export async function closeAll(parts: Closed): Promise<void> {
  const { conversing, people, scheduledBackups, servers, watch, opened, scripts, stores } = parts;
  parts.sourceHooks.stop();
  await Promise.all([
    parts.sourceSync.stop(),
    conversing.close(),
    scheduledBackups?.stop(),
    parts.skillBin.stop(),
    parts.triggerSchedule.stop(),
    opened.mail?.stop(),
  ]);
  await people.close();
  await servers.close();
  await watch.close();
  opened.close();
  scripts.close();
  await stores.close();
}
