import { adminUsersApi, type User } from '@knowhow/shared/access/admin-users';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { allItems } from '../../../api/query.ts';
import { useRight } from '../../../ui/rights.ts';
import { SkillSharing } from '../../../ui/skill-sharing.tsx';
import classes from '../facts.module.css';
import { DetailsPanel } from '../facts.tsx';
import { isGroupMember } from '../is-group-member.ts';
import { asTexts } from '../items/config-value.ts';
import { ItemPage } from '../items/item-page.tsx';
import { GroupFields } from './group-fields.tsx';
import { useGroups } from './use-groups.ts';

export function GroupItem({ id }: { id: string }) {
  const { t } = useTranslation();
  const members = useMembers(id);
  const heirs = [...useGroups()]
    .filter(([, group]) => asTexts(group.inherits).includes(id))
    .map(([name]) => name);
  const losses = [
    ...(members && members.length > 0
      ? [t('adminConfig.group.lossMembers', { count: members.length })]
      : []),
    ...(heirs.length > 0 ? [t('adminConfig.group.lossHeirs', { groups: heirs.join(', ') })] : []),
  ];
  return (
    <ItemPage
      kind="groups"
      id={id}
      losses={losses}
      facts={
        <>
          {members && <GroupFacts members={members} />}
          <DetailsPanel title={t('skillSharing.panel')}>
            <SkillSharing kind="group" id={id} />
          </DetailsPanel>
        </>
      }
    >
      <GroupFields />
    </ItemPage>
  );
}

/** Maximum number of members listed. */
const most = 20;

/** The members of a group. */
function GroupFacts({ members }: { members: User[] }) {
  const { t } = useTranslation();
  return (
    <DetailsPanel title={t('adminConfig.group.members')}>
      {members.length === 0 && <p>{t('adminConfig.group.noMembers')}</p>}
      <ul className={classes.list}>
        {members.slice(0, most).map((user) => (
          <li key={user.id}>
            {user.name} <span>{user.username}</span>
          </li>
        ))}
      </ul>
      {members.length > most && (
        <p>{t('adminConfig.group.moreMembers', { count: members.length - most })}</p>
      )}
      <p>
        <Link to="/admin/users">{t('adminConfig.group.toUsers')}</Link>
      </p>
    </DetailsPanel>
  );
}

/** The members of a group, once loaded; only users who may administer users can see them. */
function useMembers(group: string): User[] | undefined {
  const users = useQuery({ ...allItems(adminUsersApi.list, {}), enabled: useRight('users') });
  return users.data?.filter((user) => isGroupMember(user, group));
}
