import type { ContentStore } from './modules/content/index.ts';
import {
  createPersonalSkillReader,
  createPersonalSkills,
  createSkillShares,
  type PersonalSkillReader,
  type PersonalSkills,
  type SkillShares,
} from './modules/skills/index.ts';
import type { Cluster } from './platform/cluster/cluster.ts';
import type { Log } from './platform/lib/log.ts';
import type { Database } from './platform/storage/open-database.ts';

export interface PersonalServices {
  /** Other nodes learn of each change. */
  personalSkills: PersonalSkills;
  /** Other nodes learn of each change. */
  skillShares: SkillShares;
  /**
   * Call it on each node after a change of users; without ids, all may have changed. Never fails: after a failure, they
   * share nothing until it succeeds.
   */
  usersChanged: (users?: readonly string[]) => Promise<void>;
}

interface OpenPersonalSkills {
  services: PersonalServices;
  /** See `PersonalSkillReader`. Give it to the store. */
  find: PersonalSkillReader['find'];
  /** Reads the skills of all users again, on all nodes: a restore has replaced the table. */
  reread: () => Promise<void>;
  close: () => void;
}

interface Dependencies {
  cluster: Cluster;
  content: Pick<ContentStore, 'current'>;
  database: Database;
  log: Log;
}

const topic = 'personal skills';
/** Instead of the id of a user. */
const everyone = '';
/** Time to live (TTL) of sharing in memory: limits the effect of a change that was not announced. */
const maxAgeMs = 5_000;
/** Rereading takes at most this share of the time. */
const maxLoad = 0.05;

/** Opens the personal skills of users, and reads them all: an answer must not lose a skill after a restart. */
export async function openPersonalSkills({
  cluster,
  content,
  database,
  log,
}: Dependencies): Promise<OpenPersonalSkills> {
  const reader = createPersonalSkillReader(database, () => content.current);
  let isClosed = false;
  const onError = (error: unknown) => {
    if (!isClosed) {
      log.error({ error }, 'reading personal skills failed');
    }
  };
  /** Work that has failed, by name. */
  const failed = new Map<string, () => Promise<void>>();
  /** Runs work, again after each failure. Resolves after the first attempt, and never fails. */
  const attempt = async (name: string, work: () => Promise<void>) => {
    failed.delete(name);
    await work().catch((error: unknown) => {
      onError(error);
      failed.set(name, work);
    });
  };
  const refresh = (owner: string) =>
    attempt(`read ${owner}`, () => reader.refresh(owner === everyone ? undefined : owner));
  const announce = async (owner: string) => {
    await refresh(owner);
    await attempt(`tell ${owner}`, () => cluster.publish(topic, owner));
  };
  const stop = cluster.subscribe(
    topic,
    (owner) => {
      refresh(owner).catch(onError);
    },
    () => {
      refresh(everyone).catch(onError);
    },
  );
  let timer: NodeJS.Timeout;
  const repeat = (lastMs = 0) => {
    timer = setTimeout(
      () => {
        const started = performance.now();
        const work = [...failed].map(([name, again]) => attempt(name, again));
        Promise.all([...work, reader.refreshSharing()])
          .catch(onError)
          .finally(() => {
            if (!isClosed) {
              repeat(performance.now() - started);
            }
          });
      },
      Math.max(maxAgeMs, lastMs / maxLoad),
    ).unref();
  };
  await refresh(everyone);
  repeat();
  return {
    services: {
      personalSkills: createPersonalSkills(cluster, database, announce),
      skillShares: createSkillShares(database, () => content.current, announce),
      usersChanged: (users) => reader.refreshSharing(users).catch(onError),
    },
    find: reader.find,
    reread: () => announce(everyone),
    close: () => {
      isClosed = true;
      clearTimeout(timer);
      stop();
    },
  };
}
