import { problem } from '@knowhow/shared/problem';
import type { ListedModel, ModelList } from '../../chat/index.ts';
import type { Contents } from '../../content/index.ts';

/** A model as an admin sees it, including disabled ones. */
export interface AdminModel extends ListedModel {
  /** Discovered on this machine, without a file. */
  found: boolean;
}

export interface AdminModelDependencies {
  contents: () => Contents;
  models: ModelList;
}

export function adminModels(dependencies: AdminModelDependencies): AdminModel[] {
  const { contents, models } = dependencies;
  const configured = contents().models;
  const found = models.all().filter(({ config }) => !configured.has(config.id));
  return [
    ...[...configured.values()].map((config) => ({
      ...models.of(config),
      found: false,
    })),
    ...found.map((model) => ({ ...model, found: true })),
  ];
}

/** Throws `not-found` without a valid configuration. */
export function findAdminModel(id: string, dependencies: AdminModelDependencies): AdminModel {
  const model = adminModels(dependencies).find(({ config }) => config.id === id);
  if (!model) {
    throw problem('not-found', `There is no model "${id}" with a valid configuration.`);
  }
  return model;
}
