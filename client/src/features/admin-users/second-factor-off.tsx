import { adminUsersApi, type User } from '@knowhow/shared/access/admin-users';
import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { endpointQueryFilter } from '../../api/query.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import classes from './user-dialog.module.css';

interface SecondFactorOffProps {
  user: User;
  /** Called after the reset. */
  onOff: () => void;
}

/** Resets two-factor authentication of a user who has lost their device. */
export function SecondFactorOff({ user: { id, name }, onOff }: SecondFactorOffProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [asks, setAsks] = useState(false);
  const takeOff = useMutation({
    mutationFn: () => call(adminUsersApi.removeSecondFactor, { params: { id } }),
    onSuccess: async () => {
      await queryClient.invalidateQueries(endpointQueryFilter(adminUsersApi.list));
      onOff();
    },
  });
  return (
    <div>
      <p className={classes.about}>{t('adminUsers.hasFactor')}</p>
      <Button variant="default" size="xs" mt={8} onClick={() => setAsks(true)}>
        {t('adminUsers.factorOff')}
      </Button>
      <ConfirmDialog
        opened={asks}
        title={t('adminUsers.factorOffAsk', { name })}
        confirmLabel={t('adminUsers.factorOff')}
        isBusy={takeOff.isPending}
        error={takeOff.error}
        onConfirm={() => takeOff.mutate()}
        onClose={() => setAsks(false)}
      >
        {t('adminUsers.factorOffAbout')}
      </ConfirmDialog>
    </div>
  );
}
