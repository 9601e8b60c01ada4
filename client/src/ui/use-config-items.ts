import { adminApi } from '@knowhow/shared/config/admin';
import {
  adminAppsApi,
  adminGroupsApi,
  adminModelsApi,
  adminPromptsApi,
  type ConfigKind,
} from '@knowhow/shared/config/admin-config';
import { useQuery } from '@tanstack/react-query';
import { allItems } from '../api/query.ts';
import { useIsAdmin, useRight } from './rights.ts';

/**
 * The apps, groups, models or prompts, to choose from or to label: complete for users who administer them,
 * otherwise what others may see.
 */
export function useConfigItems(kind: ConfigKind) {
  const isWhole = useRight(kind);
  const isAdmin = useIsAdmin();
  const whole = useQuery({ ...allItems(lists[kind], {}), enabled: isWhole });
  const choices = useQuery({
    ...allItems(adminApi.choices, { params: { kind } }),
    enabled: !isWhole && isAdmin,
  });
  return isWhole ? whole : choices;
}

const lists = {
  apps: adminAppsApi.list,
  groups: adminGroupsApi.list,
  models: adminModelsApi.list,
  prompts: adminPromptsApi.list,
} as const;
