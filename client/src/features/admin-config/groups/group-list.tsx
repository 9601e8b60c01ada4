import { skillRights } from '@knowhow/shared/access/admin-rights';
import { adminUsersApi } from '@knowhow/shared/access/admin-users';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { allItems } from '../../../api/query.ts';
import { useRight } from '../../../ui/rights.ts';
import { useFormat } from '../../../ui/text/use-format.ts';
import { useRightName } from '../../../ui/text/use-right-name.ts';
import { isGroupMember } from '../is-group-member.ts';
import { asRecord, asTexts, type Config } from '../items/config-value.ts';
import { ItemList } from '../items/item-list.tsx';
import { type GrantKind, grantKinds } from './inheritance.ts';

export function GroupList() {
  const { t } = useTranslation();
  const format = useFormat();
  const rightName = useRightName();
  const users = useQuery({ ...allItems(adminUsersApi.list, {}), enabled: useRight('users') });

  function wordsFor(kind: GrantKind, permissions: Config): string[] {
    const ids = asTexts(permissions[kind]);
    if (ids.includes('*')) {
      return [t(allOf[kind])];
    }
    return ids.length > 0 ? [t(countOf[kind], { count: ids.length })] : [];
  }

  function rightsFrom({ adminAccess, personalSkills, skillRights: scopes }: Config): string[] {
    if (adminAccess === true || asTexts(adminAccess).includes('*')) {
      return [t('adminConfig.group.adminAccess')];
    }
    const count = asTexts(adminAccess).length;
    const hasPersonal = personalSkills !== undefined && personalSkills !== 'none';
    return [
      ...(hasPersonal ? [t('adminConfig.group.personal.title')] : []),
      ...(count > 0 ? [t('adminConfig.group.rightCount', { count })] : []),
      ...skillRights.flatMap((right) =>
        asTexts(asRecord(scopes)[right]).map((category) => rightName(`skill-${right}:${category}`)),
      ),
    ];
  }

  function grantsOf(config: Config | undefined): string {
    const permissions = asRecord(config?.permissions);
    const words = grantKinds.flatMap((kind) => wordsFor(kind, permissions));
    return [...words, ...rightsFrom(permissions)].join(' · ') || t('adminConfig.group.nothingOwn');
  }

  function membersOf(id: string): string {
    const members = users.data?.filter((user) => isGroupMember(user, id));
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
          render: ({ config }) => asTexts(config?.inherits).join(', ') || '–',
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
  skillCategories: 'adminConfig.group.skillCategories',
  tools: 'adminConfig.group.allTools',
} as const satisfies Record<GrantKind, string>;

const countOf = {
  apps: 'adminConfig.group.appCount',
  models: 'adminConfig.group.modelCount',
  prompts: 'adminConfig.group.promptCount',
  skills: 'adminConfig.group.skillCount',
  skillCategories: 'adminConfig.group.categoryCount',
  tools: 'adminConfig.group.toolCount',
} as const satisfies Record<GrantKind, string>;
