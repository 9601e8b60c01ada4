import { setTimeout as wait } from 'node:timers/promises';
import type { ContentIssue } from '@knowhow/shared/config/health';
import type { ContentStore } from './modules/content/index.ts';
import {
  createFixedVersionReader,
  createNewestVersions,
  createSkillVersions,
  findWantedVersions,
  type NewestVersions,
  type SkillStore,
  type SkillVersions,
} from './modules/skills/index.ts';
import type { Cluster } from './platform/cluster/cluster.ts';
import type { Log } from './platform/lib/log.ts';
import { slices } from './platform/lib/slices.ts';
import type { Database } from './platform/storage/open-database.ts';

export interface OpenVersions {
  /** Other nodes learn of each recorded version. */
  versions: SkillVersions;
  findPublished: NewestVersions['find'];
  /** Names of the skills with versions that are not deleted. */
  names: NewestVersions['names'];
  /** Reads everything; call it once there is a store, which gets the pinned versions. */
  load: () => void;
  /** Loads pinned and previewed versions; call it after a configuration change. */
  refresh: () => void;
  /** Reads everything again, on all nodes: a restore has replaced the tables. */
  reread: () => Promise<void>;
  /** Pins and previews of versions that cannot be offered. */
  faults: () => ContentIssue[];
  close: () => void;
}

interface Dependencies {
  cluster: Cluster;
  content: ContentStore;
  database: Database;
  log: Log;
  skills: () => SkillStore;
  /** Called with the name of each skill that has another newest version, before it is announced; without one for all. */
  onNewest: (skill?: string) => Promise<void>;
}

const topic = 'skill versions';
/** Names of skills in a message, which PostgreSQL limits to 8,000 bytes. */
const maxAnnounced = 20;
/** A block must take effect within a second, even if the database does not answer. */
const maxWaitMs = 500;

/** Opens the versions of skills, and keeps those in memory that apps pin and groups preview. */
export function openVersions({
  cluster,
  content,
  database,
  log,
  skills,
  onNewest,
}: Dependencies): OpenVersions {
  const wanted = () => findWantedVersions(content.current);
  const newest = createNewestVersions(database);
  const fixed = createFixedVersionReader({
    database,
    onChange: (versions) => skills().setVersions(versions),
  });
  const versions = createSkillVersions({
    cluster,
    database,
    keep: () => content.current.skills.settings.versions.keep,
    // A file that has just been edited may pin a version before the server has noticed.
    keepAlways: async (name) =>
      mergeVersions(wanted(), findWantedVersions(await content.peek())).get(name) ?? new Set(),
    isThere: (name) => skills().snapshot.skills.has(name),
  });
  const onError = (error: unknown) => log.error({ error }, 'reading skill versions failed');
  const refreshAll = (everything: boolean) =>
    Promise.all([newest.refresh(), fixed.refresh(wanted(), everything), onNewest()]).catch(onError);
  const note = async (skills: readonly string[]) => {
    await newest.refresh(skills).catch(onError);
    for (const skill of skills) {
      await onNewest(skill).catch(onError);
    }
    const now = wanted();
    if (skills.some((skill) => now.has(skill))) {
      await fixed.refresh(now).catch(onError);
    }
  };
  const announce = async (...skills: string[]) => {
    await note(skills);
    for (const some of slices(skills, maxAnnounced)) {
      await cluster.publish(topic, some.join('\n')).catch(onError);
    }
  };
  // A running turn would lose a skill whose pinned version is not loaded yet.
  content.beforeUse(async (next) => {
    const both = mergeVersions(wanted(), findWantedVersions(next));
    if (!fixed.knows(both)) {
      await Promise.race([fixed.refresh(both).catch(onError), wait(maxWaitMs)]);
    }
  });
  const stop = cluster.subscribe(
    topic,
    (names) => {
      (names === '' ? refreshAll(true) : note(names.split('\n'))).catch(onError);
    },
    () => {
      refreshAll(false).catch(onError);
    },
  );
  return {
    load: () => {
      refreshAll(false).catch(onError);
    },
    versions: {
      ...versions,
      keepBefore: async (skill, ...given) => {
        const isNew = await versions.keepBefore(skill, ...given);
        if (isNew) {
          await announce(skill);
        }
        return isNew;
      },
      record: async (skill, change) => {
        await versions.record(skill, change);
        await announce(skill);
      },
      recordAll: async (changes) => {
        await versions.recordAll(changes);
        await announce(...changes.map(({ skill }) => skill));
      },
      publish: async (skill, ...given) => {
        const number = await versions.publish(skill, ...given);
        await announce(skill);
        return number;
      },
    },
    findPublished: newest.find,
    names: newest.names,
    refresh: () => {
      fixed.refresh(wanted()).catch(onError);
    },
    reread: async () => {
      await refreshAll(true);
      await cluster.publish(topic, '').catch(onError);
    },
    faults: () => findVersionFaults(content, skills(), fixed.findIssue),
    close: stop,
  };
}

type Wanted = ReturnType<typeof findWantedVersions>;

function mergeVersions(one: Wanted, other: Wanted): Wanted {
  const merged = new Map(one);
  for (const [skill, numbers] of other) {
    merged.set(skill, new Set([...(merged.get(skill) ?? []), ...numbers]));
  }
  return merged;
}

function findVersionFaults(
  { current }: ContentStore,
  { snapshot }: SkillStore,
  findIssue: (skill: string, number: number) => 'missing' | 'incomplete' | undefined,
): ContentIssue[] {
  const pins = [...current.apps.values()].flatMap((app) =>
    [...app.pins].map(([skill, number]) => ({
      path: `contents/apps/${app.id}.json`,
      field: 'skills',
      skill,
      number,
    })),
  );
  const previews = Object.entries(current.skills.previews ?? {}).map(([skill, { version }]) => ({
    path: 'contents/config/skills.json',
    field: `previews.${skill}.version`,
    skill,
    number: version,
  }));
  return [...pins, ...previews].flatMap(({ skill, number, ...where }) => {
    const issue = snapshot.skills.has(skill) ? findIssue(skill, number) : 'deleted';
    return issue === undefined
      ? []
      : [{ ...where, message: describeIssue(issue, skill, number), isUsed: true }];
  });
}

function describeIssue(
  issue: 'missing' | 'incomplete' | 'deleted',
  skill: string,
  number: number,
): string {
  const remedy = 'Choose another version, or follow the published one.';
  switch (issue) {
    case 'deleted':
      return `There is no skill "${skill}", so version ${number} is not offered. Restore the skill, or remove it here.`;
    case 'missing':
      return `Skill "${skill}" has no version ${number}, so it is not offered. ${remedy}`;
    case 'incomplete':
      return `Version ${number} of skill "${skill}" is not completely stored, so it is not offered. ${remedy}`;
  }
}
