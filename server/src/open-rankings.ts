import type { ContentFault } from '@knowhow/shared/config/health';
import type { Cluster } from './cluster/cluster.ts';
import type { ContentStore } from './content/content-store.ts';
import type { Log } from './lib/log.ts';
import type { KeySources } from './models/model-key.ts';
import { type Embedder, openEmbedder } from './models/open-embedder.ts';
import type { ProviderKeys } from './models/provider-keys.ts';
import type { SkillStore } from './skill-store/skill-store.ts';
import { createEmbeddingCache } from './skills/embedding-cache.ts';
import { fuseRankings } from './skills/fuse-rankings.ts';
import { createSkillEmbeddings } from './skills/skill-embeddings.ts';
import { createSkillIndex, type SkillIndex } from './skills/skill-index.ts';
import type { SkillRanking } from './skills/skill-ranking.ts';
import type { Database } from './storage/open-database.ts';

interface OpenRankings {
  index: SkillIndex;
  /** By words and, where `platform.json` names an embedder, by meaning. */
  ranking: SkillRanking;
  /** To be called when skills or settings may have changed: returns at once. */
  refresh(): void;
  faults(): ContentFault[];
  close(): void;
}

interface Dependencies {
  cluster: Cluster;
  content: ContentStore;
  database: Database;
  log: Log;
  providerKeys: Pick<ProviderKeys, 'sources' | 'onChange'>;
  store: SkillStore;
  /** Called when `faults` may be others. */
  onFault: () => void;
}

/** What skills are found by. */
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
    ...{ store, config },
    onError: (error) => log.error({ error }, 'skills could not be indexed'),
  });
  const embeddings = createSkillEmbeddings({
    ...{ store, config, onFault },
    embedder: embedderOf(providerKeys, content),
    kept: createEmbeddingCache(database),
    withLock: (work) => cluster.withLock('skill embeddings', work),
    onError: (error) => log.error({ error }, 'the meanings of skills could not be kept'),
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

/** Opened again only when its settings or the keys are others. */
function embedderOf(
  { sources }: Pick<ProviderKeys, 'sources'>,
  content: ContentStore,
): () => Embedder | undefined {
  let opened: { settings: string; keys: KeySources; embedder: Embedder } | undefined;
  return () => {
    const { embedder: config } = content.current.platform;
    if (!config || config.enabled === false) {
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
