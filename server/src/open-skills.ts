import { join } from 'node:path';
import type { ContentIssue } from '@knowhow/shared/config/health';
import type { SkillsConfig } from '@knowhow/shared/skills/skills-config';
import type { Environment } from './env.ts';
import type { ContentStore, SharedContents } from './modules/content/index.ts';
import {
  type Embedder,
  type KeySources,
  openEmbedder,
  type ProviderKeys,
} from './modules/models/index.ts';
import {
  createEmbeddingCache,
  createSkillBin,
  createSkillDrafts,
  createSkillEmbeddings,
  createSkillIndex,
  createSkillSecrets,
  describeBroken,
  describeNotOffered,
  type FolderFollower,
  folderSource,
  followFolders,
  fuseRankings,
  openSkillStore,
  type PluginSource,
  pluginSource,
  recordRemovals,
  type SkillBin,
  type SkillDrafts,
  type SkillIndex,
  type SkillRanking,
  type SkillSecrets,
  type SkillSnapshot,
  type SkillSource,
  type SkillSources,
  type SkillStore,
  type SkillVersions,
  type SkillWriter,
  skillSources,
} from './modules/skills/index.ts';
import type { FolderReview } from './open-folder-review.ts';
import { type InboxServices, openInbox } from './open-inbox.ts';
import { openPersonalSkills, type PersonalServices } from './open-personal-skills.ts';
import { openReviewed, recordOrLog } from './open-reviewed.ts';
import type { Cluster } from './platform/cluster/cluster.ts';
import { ignore } from './platform/lib/ignore.ts';
import type { Log } from './platform/lib/log.ts';
import { logOnce } from './platform/lib/log-once.ts';
import type { Database } from './platform/storage/open-database.ts';
import {
  describeSourceIssue,
  findInvalidExtras,
  findInvalidSources,
  findSourceIssues,
  skillsConfigPath as path,
} from './source-issues.ts';

/** Why the server cannot start, as a message for operators. */
export class StartupError extends Error {}

export interface OpenSkills extends PersonalServices, InboxServices {
  skills: SkillStore;
  /** Skills of `contents/plugins`, one of the sources. */
  plugins: PluginSource;
  writer: SkillWriter;
  versions: SkillVersions;
  bin: SkillBin;
  /** Moves skills to the bin whose folders were removed by hand. */
  recordRemoved: (signal: AbortSignal) => Promise<void>;
  drafts: SkillDrafts;
  /** The review of edits in the file system. */
  folderReview: FolderReview;
  /** Secrets that admins entered for skills' code. */
  secrets: SkillSecrets;
  index: SkillIndex;
  /** By full-text search and, with an embedder, by meaning. */
  ranking: SkillRanking;
  close: () => void;
  /** Call after a configuration change. */
  followSources: () => void;
  /** Reads versions and personal skills again, on all nodes. Call after a restore. */
  rereadVersions: () => Promise<void>;
  /**
   * Sources whose skills are not or not completely read: rejected, missing, or over a limit; and why e-mail cannot be
   * sent.
   */
  sourceFaults: () => ContentIssue[];
}

interface Dependencies {
  /** Folder of built-in skills. */
  builtinSkills?: string | undefined;
  /** Additional sources, after the folders. */
  skillSources?: readonly SkillSource[];
  /** Skills of MCP servers, after all others. */
  servers?: { mcp: { readonly skillSources: readonly SkillSource[] } };
  cluster: Cluster;
  content: ContentStore;
  database: Database;
  log: Log;
  providerKeys: ProviderKeys;
  /** A 32-byte key that encrypts stored secrets. */
  key: Buffer;
  /** Set if the files are copies of those in the database, which reverts changes by hand. */
  shared: SharedContents | undefined;
  /** Runs a write to `contents/`. */
  writeFiles: SkillWriter['exclusive'];
  /** Called when the skills have changed. */
  onSkills: () => void;
}

/** Opens the skill store and writer, after recovering from crashes. */
export async function openSkills(
  environment: Environment,
  dependencies: Dependencies,
): Promise<OpenSkills> {
  const { builtinSkills, skillSources: others = [], servers } = dependencies;
  const { cluster, content, database, log } = dependencies;
  const found = () => skillSources(content.current.skills, { ...environment, builtinSkills });
  const { contentsDirectory, sizeLimits, skillsStrict, skillLimits } = environment;
  const plugins = pluginSource(join(contentsDirectory, 'plugins'), sizeLimits);
  const sourcesNow = () => {
    const [own, ...folders] = found().sources.map((folder) => folderSource(folder, skillLimits));
    const mounted = servers?.mcp.skillSources ?? [];
    const first = own ? [review.sourceOf(own)] : [];
    return [...first, plugins, ...folders, ...others, ...mounted];
  };
  const local = () => found().local.directory;
  const { stored, review } = await openReviewed({
    ...dependencies,
    directory: local,
    store: () => skills,
    reviews: { findOpen: (skill) => inbox.reviews.findOpen(skill) },
    onSwitch: () => followSources(),
    onChange: () => report(),
  });
  const [{ versions }, { writer }] = [stored, review];
  await tidyUp([writer.recover(), cluster.atStart('skill versions', versions.recover)], log);
  const personal = await openPersonalSkills({ cluster, content, database, log });
  const logSome = logSkills(log);
  /** In strict mode, issues are reported by the failed start itself. */
  let isChecked = !skillsStrict;
  const report = () => {
    ranked.refresh();
    follower?.look();
    dependencies.onSkills();
    if (isChecked) {
      logSome(sourceFaults(), skills.snapshot, content.current.skills);
    }
  };
  const skills: SkillStore = openSkillStore(
    sourcesNow(),
    report,
    (error) => log.error({ error }, 'reading changes of skills failed'),
    stored.findPublished,
  );
  skills.setPersonal(personal.find);
  stored.load();
  const ranked = openRankings({ ...dependencies, store: skills, onFault: () => report() });
  const follower = dependencies.shared
    ? undefined
    : followOnceScanned({ store: skills, writer, versions, log, isReviewed: () => review.isOn });
  const sourceFaults = () => [
    ...findSourceIssues(found(), skills.sources, skillLimits),
    ...ranked.faults(),
    ...stored.faults(),
    ...review.faults(),
  ];
  if (skillsStrict) {
    await refuseBroken(skills, found());
    isChecked = true;
    report();
  }
  const followSources = () => {
    skills.setSources(sourcesNow());
    stored.refresh();
    ranked.refresh();
  };
  const services = { ...dependencies, store: skills, writer, versions, ...personal.services };
  const inbox = await openInbox(environment, services);
  const recording = recordOrLog({ review, versions, log });
  await review.start();
  return {
    skills,
    plugins,
    writer,
    versions: { ...versions, ...recording },
    folderReview: review,
    ...inbox,
    ...openContents(cluster, database, dependencies.key),
    recordRemoved: recordRemoved({ store: skills, writer, versions, review }, stored.names),
    ...personal.services,
    index: ranked.index,
    ranking: ranked.ranking,
    close: () => {
      for (const part of [review, follower, stored, personal, ranked, skills]) {
        part?.close();
      }
    },
    followSources: () => {
      followSources();
      review.follow();
    },
    rereadVersions: () => Promise.all([stored.reread(), personal.reread()]).then(ignore),
    sourceFaults: () => [...sourceFaults(), ...(inbox.mail?.faults() ?? [])],
  };
}

/** Follows the folders once they are read. */
function followOnceScanned(
  options: Parameters<typeof followFolders>[0] & { store: SkillStore },
): FolderFollower {
  let follower: FolderFollower | undefined;
  let isClosed = false;
  options.store.scanned
    .then(() => {
      if (!isClosed) {
        follower = followFolders(options);
        follower.look();
      }
    })
    .catch(ignore);
  return {
    look: () => follower?.look(),
    close: () => {
      isClosed = true;
      follower?.close();
    },
  };
}

function recordRemoved(
  options: Parameters<typeof recordRemovals>[0] & { store: SkillStore; review: FolderReview },
  names: () => Iterable<string>,
): OpenSkills['recordRemoved'] {
  return async (signal) => {
    await options.store.scanned;
    if (!options.review.isOn) {
      await recordRemovals(options).recordAll(names(), signal);
    }
  };
}

function openContents(
  cluster: Cluster,
  database: Database,
  key: Buffer,
): Pick<OpenSkills, 'bin' | 'drafts' | 'secrets'> {
  return {
    bin: createSkillBin(cluster, database),
    drafts: createSkillDrafts(cluster, database),
    secrets: createSkillSecrets(database, key),
  };
}

/** Recovery is best effort: without write access, leftovers stay. */
async function tidyUp(work: Promise<void>[], log: Log): Promise<void> {
  for (const done of await Promise.allSettled(work)) {
    if (done.status === 'rejected') {
      log.warn({ error: done.reason }, 'leftovers of an earlier stop could not be cleaned up');
    }
  }
}

/** Logs why skills are not offered, after each scan. */
function logSkills(log: Log) {
  const logFaults = logOnce(log, 'folders of skills have issues');
  const logNotOffered = logOnce(log, 'skills are not offered');
  let last: unknown[] = [];
  return (faults: readonly ContentIssue[], snapshot: SkillSnapshot, config: SkillsConfig) => {
    logFaults(faults.map(describeSourceIssue));
    if (last[0] !== snapshot || last[1] !== config) {
      last = [snapshot, config];
      logNotOffered(describeNotOffered(snapshot, config));
    }
  };
}

/**
 * With `SKILLS_STRICT`, startup fails for skills that cannot be offered, have a wrong name or
 * repaired YAML, and for sources that are missing or empty.
 */
async function refuseBroken(skills: SkillStore, found: SkillSources): Promise<void> {
  await skills.scanned;
  const missing = [
    ...findInvalidSources(found, skills.sources).map((fault) => ({ path, ...fault })),
    ...findInvalidExtras(found, skills.sources),
  ].map(describeSourceIssue);
  const broken = describeBroken(skills.snapshot, { isStrict: true });
  if (broken.length + missing.length > 0) {
    skills.close();
    const what = missing.length > 0 ? 'skills are missing or broken' : 'skills are broken';
    throw new StartupError(
      [`SKILLS_STRICT is set, and ${what}:`, ...missing, ...broken].join('\n'),
    );
  }
}

interface OpenRankings {
  index: SkillIndex;
  /** By full-text search and, if `platform.json` configures an embedder, by meaning. */
  ranking: SkillRanking;
  /** Call after changes of skills or settings; returns immediately. */
  refresh(): void;
  faults(): ContentIssue[];
  close(): void;
}

interface RankingDependencies {
  cluster: Cluster;
  content: ContentStore;
  database: Database;
  log: Log;
  providerKeys: Pick<ProviderKeys, 'sources' | 'onChange'>;
  store: SkillStore;
  /** Called when `faults` may have changed. */
  onFault: () => void;
}

/** Creates the search over skills. */
function openRankings({
  cluster,
  content,
  database,
  log,
  providerKeys,
  store,
  onFault,
}: RankingDependencies): OpenRankings {
  const config = () => content.current.skills;
  const index = createSkillIndex({
    store,
    config,
    onError: (error) => log.error({ error }, 'indexing skills failed'),
  });
  const embeddings = createSkillEmbeddings({
    store,
    config,
    onFault,
    embedder: embedderOf(providerKeys, content),
    kept: createEmbeddingCache(database),
    withLock: (work) => cluster.withLock('skill embeddings', work),
    onError: (error) => log.error({ error }, 'storing skill embeddings failed'),
  });
  providerKeys.onChange(embeddings.refresh);
  return {
    index,
    ranking: fuseRankings(index.ranking, embeddings),
    refresh: () => {
      index.refresh();
      embeddings.refresh();
    },
    faults: () => {
      const message = embeddings.fault();
      const at = { path: 'contents/config/platform.json', field: 'embedder', isUsed: true };
      return message === undefined ? [] : [{ ...at, message }];
    },
    close: () => {
      index.close();
      embeddings.close();
    },
  };
}

/** Reopened only when its settings or keys change. */
function embedderOf(
  { sources }: Pick<ProviderKeys, 'sources'>,
  content: ContentStore,
): () => Embedder | undefined {
  let opened: { settings: string; keys: KeySources; embedder: Embedder } | undefined;
  return () => {
    const { embedder: config } = content.current.platform;
    if (!config?.enabled) {
      return undefined;
    }
    const settings = JSON.stringify(config);
    const keys = sources();
    if (opened?.settings !== settings || opened.keys !== keys) {
      opened = { settings, keys, embedder: openEmbedder(config, keys) };
    }
    return opened.embedder;
  };
}
