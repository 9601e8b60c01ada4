import { adminUsersApi, type User } from '@knowhow/shared/access/admin-users';
import { authApi } from '@knowhow/shared/access/auth';
import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { query } from '../../api/query.ts';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import classes from './user-dialog.module.css';

interface MailAddressProps {
  user: User;
  /** The edited address; undefined if it was not edited. */
  written: string | undefined;
  onWrite: (address: string) => void;
}

/** The address at which a user gets e-mail; nothing if the server sends none. */
export function MailAddress({ user: { id }, written, onWrite }: MailAddressProps) {
  const { t } = useTranslation();
  const hasMail = useQuery(query(authApi.me, {})).data?.hasMail === true;
  const user = useQuery({
    ...query(adminUsersApi.get, { params: { id } }),
    enabled: hasMail,
    staleTime: 0,
  });
  if (user.error) {
    return <ErrorNote error={user.error} onRetry={() => void user.refetch()} />;
  }
  if (!user.data) {
    return null;
  }
  const { isSetHere, isOn, address = '' } = user.data.mail;
  return (
    <div>
      <TextInput
        type="email"
        label={t('mail.user.address')}
        description={t('mail.user.addressAbout')}
        placeholder={isSetHere ? undefined : address}
        value={written ?? (isSetHere ? address : '')}
        onChange={(event) => onWrite(event.currentTarget.value)}
        maxLength={320}
        autoComplete="off"
      />
      {!isOn && <p className={classes.about}>{t('mail.user.off')}</p>}
    </div>
  );
}
