import type { ConfigKind } from '@knowhow/shared/config/admin-config';
import { Button } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { call } from '../../../api/call.ts';
import { endpointQueryFilter } from '../../../api/query.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { configApis, kindTexts } from './config-kind.ts';
import { useDraft } from './draft-context.ts';

interface DeleteItemProps {
  kind: ConfigKind;
  /** Sentences about what is lost with it. */
  losses: string[];
  onDeleted: () => void;
}

/** Deletes the item, after naming what will be lost. */
export function DeleteItem({ kind, losses, onDeleted }: DeleteItemProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [isAsked, setAsked] = useState(false);
  const { item } = useDraft();
  const api = configApis[kind];

  const deletion = useMutation({
    mutationFn: () => call(api.remove, { params: { id: item.id } }, { ifMatch: item.checksum }),
    onSuccess: async () => {
      onDeleted();
      await navigate(`/admin/${kind}`);
      queryClient.removeQueries(endpointQueryFilter(api.get));
      void queryClient.invalidateQueries();
    },
  });

  return (
    <>
      <Button
        variant="default"
        leftSection={<IconTrash size={16} aria-hidden />}
        onClick={() => setAsked(true)}
      >
        {t('adminConfig.delete.action')}
      </Button>
      <ConfirmDialog
        title={t(kindTexts[kind].remove, { id: item.id })}
        opened={isAsked}
        onClose={() => setAsked(false)}
        onConfirm={() => deletion.mutate()}
        confirmLabel={t('adminConfig.delete.action')}
        typed={item.id}
        error={deletion.error}
        isBusy={deletion.isPending}
      >
        <p>{t('adminConfig.delete.about', { path: item.path })}</p>
        {losses.length > 0 && (
          <ul>
            {losses.map((loss) => (
              <li key={loss}>{loss}</li>
            ))}
          </ul>
        )}
      </ConfirmDialog>
    </>
  );
}
