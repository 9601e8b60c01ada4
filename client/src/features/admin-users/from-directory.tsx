import type { User } from '@knowhow/shared/access/admin-users';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../ui/text/use-format.ts';
import { useGroupNames } from '../../ui/text/use-group-names.ts';
import { MoveSignIn } from './move-sign-in.tsx';
import classes from './user-dialog.module.css';

interface FromDirectoryProps {
  user: User;
  directory: NonNullable<User['directory']>;
  /** Called when another account has taken over its sign-in. */
  onMoved: () => void;
}

/** The identity provider of an account, and its data from there, which is read-only here. */
export function FromDirectory({ user, directory, onMoved }: FromDirectoryProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const groupNames = useGroupNames();
  const { title, email, groups, at } = directory;
  const names = groups.map((id) => groupNames.get(id) ?? id).join(', ');
  return (
    <div>
      <dl className={classes.directory}>
        <dt>{t('adminUsers.signsInWith')}</dt>
        <dd>{[title, email].filter(Boolean).join(' · ')}</dd>
        <dt>{t('adminUsers.lastThere')}</dt>
        <dd>{format.relativeDate(at)}</dd>
        <dt>{t('adminUsers.groupsThere')}</dt>
        <dd>{names || t('adminUsers.noGroups')}</dd>
      </dl>
      <MoveSignIn user={user} provider={title} onMoved={onMoved} />
    </div>
  );
}
