import { join } from 'node:path';
import type { Environment } from './env.ts';
import {
  createSourceHooks,
  createSourceSync,
  type SkillAdmin,
  type SourceHooks,
  type SourceSync,
  syncDueSources,
} from './modules/admin/index.ts';
import {
  createGitReader,
  createPublishedRepository,
  createServedRepositories,
  createSourceStates,
  type GitReader,
  type PublishedRepository,
} from './modules/skills/index.ts';
import type { OpenServers } from './open-servers.ts';
import type { Cluster } from './platform/cluster/cluster.ts';
import type { Log } from './platform/lib/log.ts';
import type { Database } from './platform/storage/open-database.ts';

interface Dependencies extends Omit<SkillAdmin, 'sizeLimits'> {
  cluster: Cluster;
  database: Database;
  log: Log;
  servers: OpenServers;
}

export interface OpenGit {
  git: GitReader;
  /** One node syncs sources when they are due. */
  sourceSync: SourceSync & { stop(): void };
  sourceHooks: SourceHooks;
  publishedRepository: PublishedRepository;
}

const everyMinute = '23 * * * * *';

/** Opens what reads and serves git repositories, after deleting what a crash has left, and the sources of skills. */
export async function openGit(
  { dataDirectory, sizeLimits, variables }: Environment,
  dependencies: Dependencies,
): Promise<OpenGit> {
  const { cluster, database, log, contents, servers } = dependencies;
  const git = createGitReader({
    directory: join(dataDirectory, 'git'),
    guarded: servers.outbound,
    allowPrivate: () => contents().platform.outbound.allowPrivate,
    sizeLimits,
    variables,
  });
  await git.recover();
  const states = createSourceStates(database);
  const sync = createSourceSync({ ...dependencies, sizeLimits, git, states, variables });
  const job = cluster.oneNode('skill sources', everyMinute, (signal) =>
    syncDueSources(contents().skillSources, sync, { signal, log }),
  );
  const sources = () => contents().skillSources;
  const sourceHooks = createSourceHooks({ sources, sync, cluster, log, variables });
  const repositories = createServedRepositories({
    directory: join(dataDirectory, 'git-served'),
    variables,
  });
  await repositories.recover();
  const publishedRepository = createPublishedRepository(repositories);
  return { git, sourceSync: { ...sync, stop: job.stop }, sourceHooks, publishedRepository };
}
