import { problem } from '@knowhow/shared/problem';
import type { ListedModel, ModelList } from '../chat/model-list.ts';
import type { Contents } from '../content/contents.ts';
import { modelKey } from '../models/model-key.ts';

/** A model as an admin has to know it: also one that is switched off. */
export interface AdminModel extends ListedModel {
  /** Found on this machine, without a file. */
  found: boolean;
}

export interface AdminModelDependencies {
  contents: () => Contents;
  models: ModelList;
  variables: Record<string, string | undefined>;
}

export function adminModels(dependencies: AdminModelDependencies): AdminModel[] {
  const { contents, models, variables } = dependencies;
  const configured = contents().models;
  const found = models.all().filter(({ config }) => !configured.has(config.id));
  return [
    ...[...configured.values()].map((config) => {
      const key = modelKey(config, variables);
      return key.ready
        ? { config, key: key.key, needs: undefined, found: false }
        : { config, key: undefined, needs: key.needs, found: false };
    }),
    ...found.map((model) => ({ ...model, found: true })),
  ];
}

/** Throws `not-found` for one without a usable configuration. */
export function findAdminModel(id: string, dependencies: AdminModelDependencies): AdminModel {
  const model = adminModels(dependencies).find(({ config }) => config.id === id);
  if (!model) {
    throw problem('not-found', `There is no model "${id}" with a valid configuration.`);
  }
  return model;
}
