import {
  createPersonalSkillReader,
  createPersonalSkills,
  type PersonalSkillReader,
  type PersonalSkills,
} from './modules/skills/index.ts';
import type { Cluster } from './platform/cluster/cluster.ts';
import type { Log } from './platform/lib/log.ts';
import type { Database } from './platform/storage/open-database.ts';

export interface OpenPersonalSkills {
  /** Other nodes learn of each change. */
  personalSkills: PersonalSkills;
  /** The skills of a user. Give it to the store. */
  find: PersonalSkillReader['of'];
  /** Reads the skills of all users again, on all nodes: a restore has replaced the table. */
  reread: () => Promise<void>;
  close: () => void;
}

interface Dependencies {
  cluster: Cluster;
  database: Database;
  log: Log;
}

const topic = 'personal skills';
/** Instead of the id of a user. */
const everyone = '';

/** Opens the personal skills of users, and reads them all: an answer must not lose a skill after a restart. */
export async function openPersonalSkills({
  cluster,
  database,
  log,
}: Dependencies): Promise<OpenPersonalSkills> {
  const reader = createPersonalSkillReader(database);
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
    personalSkills: createPersonalSkills(cluster, database, announce),
    find: reader.of,
    reread: () => announce(everyone),
    close: stop,
  };
}
