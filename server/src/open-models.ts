import type { ModelConfig } from '@knowhow/shared/models';
import { createModelList, type ModelList } from './chat/model-list.ts';
import type { Cluster } from './cluster/cluster.ts';
import type { Contents } from './content/contents.ts';
import type { Environment } from './env.ts';
import type { AskModel } from './models/model.ts';
import { openProviderKeys, type ProviderKeys } from './models/provider-keys.ts';
import type { Database } from './storage/open-database.ts';

interface Dependencies {
  cluster: Cluster;
  database: Database;
  /** 32 bytes that encrypt what is stored. */
  key: Uint8Array;
  contents: () => Contents;
  /** Models that run on this machine. */
  found: readonly ModelConfig[];
  openModel: (config: ModelConfig, key: string | undefined) => AskModel;
}

/** The models, and their keys, as far as those were entered in the admin pages. */
export async function openModels(
  environment: Pick<Environment, 'variables' | 'modelHosts'>,
  { found, contents, openModel, ...stored }: Dependencies,
): Promise<{ models: ModelList; providerKeys: ProviderKeys }> {
  const providerKeys = await openProviderKeys(stored);
  const entered = providerKeys.current;
  const models = createModelList({
    ...environment,
    found: () => found,
    contents,
    openModel,
    entered,
  });
  return { models, providerKeys };
}
