import type { ContentIssue } from '@knowhow/shared/config/health';
import type { ContentStore } from './modules/content/index.ts';
import {
  type Embedder,
  type KeySources,
  openEmbedder,
  type ProviderKeys,
} from './modules/models/index.ts';
import {
  createEmbeddingCache,
  createSkillEmbeddings,
  createSkillIndex,
  fuseRankings,
  type SkillIndex,
  type SkillRanking,
  type SkillStore,
} from './modules/skills/index.ts';
import type { Cluster } from './platform/cluster/cluster.ts';
import type { Log } from './platform/lib/log.ts';
import type { Database } from './platform/storage/open-database.ts';

interface OpenRankings {
  index: SkillIndex;
  /** By full-text search and, if `platform.json` configures an embedder, by meaning. */
  ranking: SkillRanking;
  /** Call after changes of skills or settings; returns immediately. */
  refresh(): void;
  faults(): ContentIssue[];
  close(): void;
}

interface Dependencies {
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
export function openRankings({
  cluster,
  content,
  database,
  log,
  providerKeys,
  store,
  onFault,
}: Dependencies): OpenRankings {
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
