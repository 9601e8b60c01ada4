import { join } from 'node:path';
import type { ContentIssue } from '@knowhow/shared/config/health';
import type { Environment } from './env.ts';
import {
  createSkillUpstreams,
  createSourceHooks,
  createSourceSync,
  openSourceFaults,
  type SkillAdmin,
  type SkillUpstreams,
  type SourceFaults,
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
  type MailSettings,
  type PublishedRepository,
} from './modules/skills/index.ts';
import type { OpenServers } from './open-servers.ts';
import type { Cluster } from './platform/cluster/cluster.ts';
import type { Log } from './platform/lib/log.ts';
import type { Database } from './platform/storage/open-database.ts';

interface Dependencies extends Omit<SkillAdmin, 'sizeLimits'> {
  mailSettings: MailSettings;
  cluster: Cluster;
  database: Database;
  log: Log;
  servers: OpenServers;
}

export interface OpenGit {
  git: GitReader;
  /** One node syncs sources when they are due. */
  sourceSync: SourceSync & Pick<SourceFaults, 'stop'>;
  /** For `/api/admin/faults`. */
  sourceFaults: () => ContentIssue[];
  skillUpstreams: SkillUpstreams;
  sourceHooks: SourceHooks;
  publishedRepository: PublishedRepository;
}

const everyMinute = '23 * * * * *';

/** Opens what reads and serves git repositories, after deleting what a crash has left, and the sources of skills. */
export async function openGit(
  { dataDirectory, sizeLimits, variables, publicUrl }: Environment,
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
  const states = createSourceStates(cluster, database);
  const faults = await openSourceFaults({ ...dependencies, states });
  const onChange = faults.refresh;
  const reading = { ...dependencies, sizeLimits, git, states, variables };
  const sync = createSourceSync({ ...reading, onChange });
  const skillUpstreams = createSkillUpstreams({ ...reading, publicUrl, onChange });
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
  const stop = () => {
    job.stop();
    return faults.stop();
  };
  const sourceSync = { ...sync, stop };
  const sourceFaults = faults.list;
  return { git, sourceSync, sourceFaults, skillUpstreams, sourceHooks, publishedRepository };
}
