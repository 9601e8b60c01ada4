import { type ServiceKey, serviceKeysApi } from '@knowhow/shared/access/service-keys';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { endpointQueryFilter } from '../../api/query.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';

interface RevokeKeyProps {
  details: ServiceKey;
  opened: boolean;
  onClose: () => void;
}

/** Revokes a key after naming what is lost. */
export function RevokeKey({ details: { id, name }, opened, onClose }: RevokeKeyProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const revoke = useMutation({
    mutationFn: () => call(serviceKeysApi.remove, { params: { id } }),
    onSuccess: async () => {
      await queryClient.invalidateQueries(endpointQueryFilter(serviceKeysApi.list));
      onClose();
    },
  });
  return (
    <ConfirmDialog
      opened={opened}
      title={t('adminKeys.revokeAsk', { name })}
      confirmLabel={t('adminKeys.revoke')}
      typed={name}
      isBusy={revoke.isPending}
      error={revoke.error}
      onConfirm={() => revoke.mutate()}
      onClose={onClose}
    >
      {t('adminKeys.revokeAbout')}
    </ConfirmDialog>
  );
}
