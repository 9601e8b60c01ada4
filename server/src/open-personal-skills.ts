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
  /** Call it on each node after a change of users; without ids, all may have changed. Never fails. */
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

/** Opens the personal skills of users, and reads them all: an answer must not lose a skill after a restart. */
export async function openPersonalSkills({
  cluster,
  content,
  database,
  log,
}: Dependencies): Promise<OpenPersonalSkills> {
  const reader = createPersonalSkillReader(database, () => content.current);
  const onError = (error: unknown) => log.error({ error }, 'reading personal skills failed');
  const refresh = (owner: string) => reader.refresh(owner === everyone ? undefined : owner);
  const announce = async (owner: string) => {
    await refresh(owner).catch(onError);
    await cluster.publish(topic, owner).catch(onError);
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
  await refresh(everyone).catch(onError);
  return {
    services: {
      personalSkills: createPersonalSkills(cluster, database, announce),
      skillShares: createSkillShares(database, announce),
      usersChanged: (users) =>
        (users ? reader.refreshAccounts(users) : reader.refresh()).catch(onError),
    },
    find: reader.find,
    reread: () => announce(everyone),
    close: stop,
  };
}
