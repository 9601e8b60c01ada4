import { groupSchema } from '@knowhow/shared/access/groups';
import { promptConfigSchema } from '@knowhow/shared/chat/prompts';
import {
  adminAppsApi,
  adminGroupsApi,
  adminModelsApi,
  adminPromptsApi,
  type ConfigKind,
} from '@knowhow/shared/config/admin-config';
import { writtenAppSchema } from '@knowhow/shared/config/app-config';
import { modelConfigSchema } from '@knowhow/shared/config/models';

/** The contracts of each kind. */
export const configApis = {
  apps: adminAppsApi,
  groups: adminGroupsApi,
  models: adminModelsApi,
  prompts: adminPromptsApi,
} as const;

/** The schema of each kind. */
export const configSchemas = {
  apps: writtenAppSchema,
  groups: groupSchema,
  models: modelConfigSchema,
  prompts: promptConfigSchema,
} as const;

/** A new item with only ID and name set: valid, but not visible to users yet. */
export const newConfigs: Record<ConfigKind, (id: string) => Record<string, unknown>> = {
  apps: () => ({ enabled: false }),
  groups: () => ({ permissions: {} }),
  models: (id) => ({ modelId: id, provider: 'openai', enabled: false }),
  prompts: () => ({ prompt: '', enabled: false }),
};

/** Translation keys of each kind. */
export const kindTexts = {
  apps: {
    title: 'adminPages.apps',
    about: 'adminConfig.apps.about',
    search: 'adminConfig.apps.search',
    newItem: 'adminConfig.apps.newItem',
    newAbout: 'adminConfig.apps.newAbout',
    empty: 'adminConfig.apps.empty',
    remove: 'adminConfig.apps.remove',
  },
  groups: {
    title: 'adminPages.groups',
    about: 'adminConfig.groups.about',
    search: 'adminConfig.groups.search',
    newItem: 'adminConfig.groups.newItem',
    newAbout: 'adminConfig.groups.newAbout',
    empty: 'adminConfig.groups.empty',
    remove: 'adminConfig.groups.remove',
  },
  models: {
    title: 'adminPages.models',
    about: 'adminConfig.models.about',
    search: 'adminConfig.models.search',
    newItem: 'adminConfig.models.newItem',
    newAbout: 'adminConfig.models.newAbout',
    empty: 'adminConfig.models.empty',
    remove: 'adminConfig.models.remove',
  },
  prompts: {
    title: 'adminPages.prompts',
    about: 'adminConfig.prompts.about',
    search: 'adminConfig.prompts.search',
    newItem: 'adminConfig.prompts.newItem',
    newAbout: 'adminConfig.prompts.newAbout',
    empty: 'adminConfig.prompts.empty',
    remove: 'adminConfig.prompts.remove',
  },
} as const satisfies Record<ConfigKind, Record<string, string>>;
