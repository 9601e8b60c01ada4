import {
  adminAppsApi,
  adminGroupsApi,
  adminModelsApi,
  adminPromptsApi,
  type ConfigKind,
} from '@knowhow/shared/admin-config';
import type { Router } from 'express';
import {
  type AdminModel,
  type AdminModelDependencies,
  adminModels,
  findAdminModel,
} from '../../admin/admin-models.ts';
import { type ConfigAdmin, putConfig, removeConfig } from '../../admin/change-config.ts';
import { testModel } from '../../admin/test-model.ts';
import type { ModelList } from '../../chat/model-list.ts';
import { providers } from '../../models/providers.ts';
import { changeOf } from '../change-of.ts';
import { pageOf } from '../page-of.ts';
import { route } from '../route.ts';

type Dependencies = ConfigAdmin & AdminModelDependencies;

/** The configuration files: apps, groups, models and prompts. */
export function adminConfigRoutes(router: Router, dependencies: Dependencies): void {
  const { models } = dependencies;
  itemRoutes(router, { kind: 'apps', contracts: adminAppsApi }, dependencies);
  itemRoutes(router, { kind: 'groups', contracts: adminGroupsApi }, dependencies);
  itemRoutes(router, { kind: 'models', contracts: adminModelsApi }, dependencies);
  itemRoutes(router, { kind: 'prompts', contracts: adminPromptsApi }, dependencies);

  route(router, adminModelsApi.states, ({ query }) => {
    const { items, ...page } = pageOf(adminModels(dependencies), query);
    const states = items.map((model) => stateOf(model, models));
    return { ...page, items: states };
  });

  route(router, adminModelsApi.providers, ({ query }) => {
    const { items, ...page } = pageOf(providers, query);
    return { ...page, items: items.map(({ id, label }) => ({ id, label })) };
  });

  route(router, adminModelsApi.test, ({ params }) => {
    const model = findAdminModel(params.id, dependencies);
    return testModel(model, () => models.open(model));
  });
}

function stateOf(model: AdminModel, models: ModelList) {
  const { config, needs, withheld, found } = model;
  return {
    id: config.id,
    ...(needs === undefined ? {} : { needs }),
    ...(withheld === undefined ? {} : { withheld }),
    ...(models.hasRefusedTools(model) ? { refusesTools: true } : {}),
    found,
  };
}

interface Items {
  kind: ConfigKind;
  contracts: Pick<typeof adminAppsApi, 'list' | 'get' | 'put' | 'remove'>;
}

function itemRoutes(router: Router, { kind, contracts }: Items, admin: ConfigAdmin): void {
  const { contentWriter } = admin;

  route(router, contracts.list, async ({ query }) => pageOf(await contentWriter.list(kind), query));

  route(router, contracts.get, ({ params }) => contentWriter.get(kind, params.id));

  route(router, contracts.put, (call) =>
    putConfig(admin, { ...changeOf(call), kind, config: call.body }),
  );

  route(router, contracts.remove, (call) => removeConfig(admin, { ...changeOf(call), kind }));
}
