import type { SyncResult } from '@knowhow/shared/config/runner';
import type { SkillsConfig } from '@knowhow/shared/skills/skills-config';
import { ignore } from '../../platform/lib/ignore.ts';
import {
  allowsScripts,
  describeContent,
  isEnabled,
  readContent,
  type SkillStore,
  type StoredSkill,
} from '../skills/index.ts';
import type { RemoteRunner } from './runner/remote-runner.ts';

/** Synchronizes a runner's copies of skills. */
export interface SkillSync {
  /** Synchronizes now: sends missing and changed skills, and deletes others. */
  sync(): Promise<SyncResult>;
  /** Result of the last synchronization, automatic or manual. */
  last(): SyncResult | undefined;
  /** Progress of a running synchronization, in skills. */
  progress(): SyncProgress | undefined;
  close(): void;
}

export interface SyncProgress {
  done: number;
  total: number;
}

interface Dependencies {
  runner: RemoteRunner;
  store: Pick<SkillStore, 'snapshot' | 'scanned'>;
  config: () => SkillsConfig;
  /** Whether skills are sent as soon as they change; otherwise each run sends what it needs. */
  atOnce: boolean;
}

/** Interval between checks for changes. */
const intervalMs = 5000;

interface Wanted {
  id: string;
  checksum: string;
  skill: StoredSkill;
}

/**
 * Deletes obsolete copies automatically and, with `atOnce`, sends changed skills; waits while the
 * runner is unreachable. The runner is always asked for its copies, because it may have been
 * replaced.
 */
export function createSkillSync({ runner, store, config, atOnce }: Dependencies): SkillSync {
  let last: SyncResult | undefined;
  let progress: SyncProgress | undefined;
  let done = '';
  let running: Promise<unknown> = Promise.resolve();
  const keyOf = (wanted: readonly Wanted[]) =>
    JSON.stringify(wanted.map(({ id, checksum }) => [id, checksum]));
  const syncNow = async (adds: boolean) => {
    await store.scanned;
    const wanted = await wantedSkills(store, config());
    const onProgress = (now: SyncProgress | undefined) => {
      progress = now;
    };
    last = await compare(runner, wanted, { adds, onProgress });
    done = last.errors.length === 0 ? keyOf(wanted) : '';
    return last;
  };
  /** Serializes synchronizations, which would otherwise undo each other. */
  const serialize = <Result>(run: () => Promise<Result>): Promise<Result> => {
    const result = running.then(run);
    running = result.catch(() => undefined);
    return result;
  };
  const lookForChanges = async () => {
    const isNew = async () => keyOf(await wantedSkills(store, config())) !== done;
    if (runner.status === 'ready' && (await isNew())) {
      await syncNow(atOnce);
    }
  };
  // A skill that is deleted meanwhile is handled at the next check.
  const look = () => {
    serialize(lookForChanges).catch(ignore);
  };
  const timer = setInterval(look, intervalMs);
  timer.unref();
  runner.onBack(() => {
    done = '';
    look();
  });
  return {
    sync: () => serialize(() => syncNow(true)),
    last: () => last,
    progress: () => progress,
    close: () => clearInterval(timer),
  };
}

/** Skills whose scripts may run, for any user. */
async function wantedSkills(
  { snapshot }: Pick<SkillStore, 'snapshot'>,
  config: SkillsConfig,
): Promise<Wanted[]> {
  const allowed = [...snapshot.skills.values()].filter(
    (skill) => isEnabled(skill, config) && allowsScripts(skill.id, config),
  );
  return Promise.all(
    allowed.map(async (skill) => {
      const { checksum } = await describeContent(skill);
      return { id: skill.id, checksum, skill };
    }),
  );
}

async function compare(
  runner: RemoteRunner,
  wanted: readonly Wanted[],
  { adds, onProgress }: { adds: boolean; onProgress(now: SyncProgress | undefined): void },
): Promise<SyncResult> {
  const result: SyncResult = { at: new Date().toISOString(), synced: 0, removed: 0, errors: [] };
  const state = await runner.look();
  if (!state) {
    return { ...result, errors: [{ message: 'The runner does not answer.' }] };
  }
  const ids = new Set(wanted.map(({ id }) => id));
  const copies = new Map(state.skills.map(({ id, checksum }) => [id, checksum]));
  const attempt = async (skill: string, count: 'synced' | 'removed', run: () => Promise<void>) => {
    try {
      await run();
      result[count] += 1;
    } catch (error) {
      result.errors.push({ skill, message: error instanceof Error ? error.message : 'failed' });
    }
  };
  const obsolete = [...copies.keys()].filter((id) => !ids.has(id));
  const missing = adds ? wanted.filter(({ id, checksum }) => copies.get(id) !== checksum) : [];
  const total = obsolete.length + missing.length;
  let done = 0;
  const steps = [
    ...obsolete.map((id) => () => attempt(id, 'removed', () => runner.remove(id))),
    ...missing.map(
      ({ id, checksum, skill }) =>
        () =>
          attempt(id, 'synced', async () =>
            runner.copy({ id, checksum, files: await readContent(skill) }),
          ),
    ),
  ];
  for (const step of steps) {
    onProgress({ done, total });
    await step();
    done += 1;
  }
  onProgress(undefined);
  return result;
}
