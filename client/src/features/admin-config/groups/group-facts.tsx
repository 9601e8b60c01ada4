import type { User } from '@knowhow/shared/access/admin-users';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import classes from '../facts.module.css';
import { DetailsPanel } from '../facts.tsx';

/** Maximum number of members listed. */
const most = 20;

/** The members of a group. */
export function GroupFacts({ members }: { members: User[] }) {
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
