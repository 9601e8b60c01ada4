import { adminUsersApi } from '@knowhow/shared/admin-users';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { allItems } from '../../../api/query.ts';
import { useFormat } from '../../../ui/text/use-format.ts';
import { isIn } from '../is-in.ts';
import { type Config, recordOf, textsOf } from '../items/config-value.ts';
import { ItemList } from '../items/item-list.tsx';
import { type GrantKind, grantKinds } from './inheritance.ts';

export function GroupList() {
  const { t } = useTranslation();
  const format = useFormat();
  const users = useQuery(allItems(adminUsersApi.list, {}));

  function wordsFor(kind: GrantKind, permissions: Config): string[] {
    const ids = textsOf(permissions[kind]);
    if (ids.includes('*')) {
      return [t(allOf[kind])];
    }
    return ids.length > 0 ? [t(countOf[kind], { count: ids.length })] : [];
  }

  function grantsOf(config: Config | undefined): string {
    const permissions = recordOf(config?.permissions);
    const words = grantKinds.flatMap((kind) => wordsFor(kind, permissions));
    const admin = permissions.adminAccess === true ? [t('adminConfig.group.adminAccess')] : [];
    return [...words, ...admin].join(' · ') || t('adminConfig.group.nothingOwn');
  }

  function membersOf(id: string): string {
    const members = users.data?.filter((user) => isIn(user, id));
    return members ? format.number(members.length) : '';
  }

  return (
    <ItemList
      kind="groups"
      hasSwitch={false}
      columns={[
        { label: t('adminConfig.group.grants'), render: ({ config }) => grantsOf(config) },
        {
          label: t('adminConfig.group.inheritsFrom'),
          render: ({ config }) => textsOf(config?.inherits).join(', ') || '–',
        },
        {
          label: t('adminConfig.group.members'),
          isNumber: true,
          render: ({ id }) => membersOf(id),
        },
      ]}
    />
  );
}

const allOf = {
  apps: 'adminConfig.group.allApps',
  models: 'adminConfig.group.allModels',
  prompts: 'adminConfig.group.allPrompts',
  skills: 'adminConfig.group.allSkills',
  tools: 'adminConfig.group.allTools',
} as const satisfies Record<GrantKind, string>;

const countOf = {
  apps: 'adminConfig.group.appCount',
  models: 'adminConfig.group.modelCount',
  prompts: 'adminConfig.group.promptCount',
  skills: 'adminConfig.group.skillCount',
  tools: 'adminConfig.group.toolCount',
} as const satisfies Record<GrantKind, string>;
