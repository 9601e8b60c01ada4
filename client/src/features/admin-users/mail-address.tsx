import { adminUsersApi } from '@knowhow/shared/access/admin-users';
import { authApi } from '@knowhow/shared/access/auth';
import type { MailSetting } from '@knowhow/shared/access/mail';
import { Button, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { query } from '../../api/query.ts';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import classes from './user-dialog.module.css';

/** The address at which a user gets e-mail; nothing if the server sends none. */
export function MailAddress({ id }: { id: string }) {
  const hasMail = useQuery(query(authApi.me, {})).data?.hasMail === true;
  const user = useQuery({
    ...query(adminUsersApi.get, { params: { id } }),
    enabled: hasMail,
    staleTime: 0,
  });
  if (user.error) {
    return <ErrorNote error={user.error} onRetry={() => void user.refetch()} />;
  }
  return user.data ? <AddressForm id={id} setting={user.data.mail} /> : null;
}

function AddressForm({ id, setting }: { id: string; setting: MailSetting }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [written, setWritten] = useState(setting.isSetHere ? (setting.address ?? '') : '');
  const address = written.trim();
  const save = useMutation({
    mutationFn: () =>
      call(adminUsersApi.setMailAddress, { params: { id }, body: { address: address || null } }),
    onSuccess: async () => {
      notifications.show({
        message: t('mail.user.saved'),
        closeButtonProps: { 'aria-label': t('action.close') },
      });
      await queryClient.invalidateQueries(query(adminUsersApi.get, { params: { id } }));
    },
  });

  function onSubmit(event: SubmitEvent) {
    event.preventDefault();
    save.mutate();
  }

  return (
    <form className={classes.form} onSubmit={onSubmit}>
      <TextInput
        type="email"
        label={t('mail.user.address')}
        description={t('mail.user.addressAbout')}
        placeholder={setting.isSetHere ? undefined : setting.address}
        value={written}
        onChange={(event) => setWritten(event.currentTarget.value)}
        maxLength={320}
        autoComplete="off"
      />
      {!setting.isOn && <p className={classes.about}>{t('mail.user.off')}</p>}
      {save.error && <ErrorNote error={save.error} />}
      <Button type="submit" variant="default" size="xs" loading={save.isPending}>
        {t('mail.user.save')}
      </Button>
    </form>
  );
}
