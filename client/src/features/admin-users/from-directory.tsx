import type { User } from '@knowhow/shared/admin-users';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../ui/text/use-format.ts';
import { useGroupNames } from '../../ui/text/use-group-names.ts';
import classes from './user-dialog.module.css';

/** Where an account comes from, and what it has from there: that is changed there alone. */
export function FromDirectory({ directory }: { directory: NonNullable<User['directory']> }) {
  const { t } = useTranslation();
  const format = useFormat();
  const groupNames = useGroupNames();
  const { title, email, groups, at } = directory;
  const names = groups.map((id) => groupNames.get(id) ?? id).join(', ');
  return (
    <dl className={classes.directory}>
      <dt>{t('adminUsers.signsInWith')}</dt>
      <dd>{[title, email].filter(Boolean).join(' · ')}</dd>
      <dt>{t('adminUsers.lastThere')}</dt>
      <dd>{format.relativeDate(at)}</dd>
      <dt>{t('adminUsers.groupsThere')}</dt>
      <dd>{names || t('adminUsers.noGroups')}</dd>
    </dl>
  );
}
