import { adminApi, type ConfigChoice } from '@knowhow/shared/config/admin';
import {
  adminAppsApi,
  adminGroupsApi,
  adminModelsApi,
  adminPromptsApi,
  type ConfigItem,
  type ConfigKind,
} from '@knowhow/shared/config/admin-config';
import { isRecord } from '@knowhow/shared/is-record';
import type { Router } from 'express';
import { getChangeContext } from '../../../platform/http/change-context.ts';
import { paginate } from '../../../platform/http/paginate.ts';
import { route } from '../../../platform/http/route.ts';
import type { ModelList } from '../../chat/index.ts';
import { providers } from '../../models/index.ts';
import {
  type AdminModel,
  type AdminModelDependencies,
  adminModels,
  findAdminModel,
} from '../settings/admin-models.ts';
import { type ConfigAdmin, putConfig, removeConfig } from '../settings/change-config.ts';
import { testModel } from '../settings/test-model.ts';

type Dependencies = ConfigAdmin & AdminModelDependencies;

/** Routes for the configuration files: apps, groups, models and prompts. */
export function adminConfigRoutes(router: Router, dependencies: Dependencies): void {
  const { models } = dependencies;
  itemRoutes(router, { kind: 'apps', contracts: adminAppsApi }, dependencies);
  itemRoutes(router, { kind: 'groups', contracts: adminGroupsApi }, dependencies);
  itemRoutes(router, { kind: 'models', contracts: adminModelsApi }, dependencies);
  itemRoutes(router, { kind: 'prompts', contracts: adminPromptsApi }, dependencies);

  route(router, adminApi.choices, async ({ params: { kind }, query }) =>
    paginate((await dependencies.contentWriter.list(kind)).map(toChoice(kind)), query),
  );

  route(router, adminModelsApi.states, ({ query }) => {
    const { items, ...page } = paginate(adminModels(dependencies), query);
    const states = items.map((model) => describeState(model, models));
    return { ...page, items: states };
  });

  route(router, adminModelsApi.providers, ({ query }) => {
    const { items, ...page } = paginate(providers, query);
    return { ...page, items: items.map(({ id, label }) => ({ id, label })) };
  });

  route(router, adminModelsApi.test, async ({ params, caller }) => {
    const model = findAdminModel(params.id, dependencies);
    const what = { kind: 'model' as const, target: params.id };
    await dependencies.audit.record({ by: caller, action: 'tested', ...what });
    return testModel(model, () => models.open(model));
  });
}

/** Fields of an item that other administrators may see: no prompt, address or permission. */
const shownFields = {
  apps: ['id', 'name', 'enabled', 'skills', 'skillSettings', 'preferredModel', 'allowedModels'],
  groups: ['id', 'name', 'inherits'],
  models: ['id', 'name', 'modelId', 'provider', 'enabled', 'default'],
  prompts: ['id', 'name', 'enabled'],
} as const;

function toChoice(kind: ConfigKind) {
  return ({ id, config }: ConfigItem): ConfigChoice => {
    if (!config) {
      return { id };
    }
    const fields: string[] = [...shownFields[kind]];
    const shown = Object.entries(config).filter(([name]) => fields.includes(name));
    const { permissions } = config;
    const { adminAccess: _, skillRights: __, ...grants } = isRecord(permissions) ? permissions : {};
    return {
      id,
      config: {
        ...Object.fromEntries(shown),
        ...(kind === 'groups' ? { permissions: grants } : {}),
      },
    };
  };
}

function describeState(model: AdminModel, models: ModelList) {
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

  route(router, contracts.list, async ({ query }) =>
    paginate(await contentWriter.list(kind), query),
  );

  route(router, contracts.get, ({ params }) => contentWriter.get(kind, params.id));

  route(router, contracts.put, (call) =>
    putConfig(admin, { ...getChangeContext(call), caller: call.caller, kind, config: call.body }),
  );

  route(router, contracts.remove, (call) =>
    removeConfig(admin, { ...getChangeContext(call), caller: call.caller, kind }),
  );
}
