import { type ProviderKey, providerKeysApi } from '@knowhow/shared/access/provider-keys';
import { adminModelsApi } from '@knowhow/shared/config/admin-config';
import { Button, Group, Modal, PasswordInput, Stack } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/call.ts';
import { endpointQueryFilter } from '../../../api/query.ts';
import { ErrorNote } from '../../../ui/text/error-note.tsx';

interface ProviderKeyDialogProps {
  details: ProviderKey;
  opened: boolean;
  onClose: () => void;
}

/** Enters or deletes a provider's API key. */
export function ProviderKeyDialog({ details, opened, onClose }: ProviderKeyDialogProps) {
  const { t } = useTranslation();
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={details.variable}
      closeButtonProps={{ 'aria-label': t('action.close') }}
      centered
    >
      <KeyForm details={details} onDone={onClose} />
    </Modal>
  );
}

function KeyForm({ details, onDone }: { details: ProviderKey; onDone: () => void }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { variable, source, enteredAt } = details;
  const params = { variable };
  const [key, setKey] = useState('');
  const change = useMutation({
    mutationFn: (deed: 'set' | 'remove') =>
      deed === 'set'
        ? call(providerKeysApi.set, { params, body: { key } })
        : call(providerKeysApi.remove, { params }),
    onSuccess: async () => {
      await Promise.all([
        queryClient.invalidateQueries(endpointQueryFilter(providerKeysApi.list)),
        queryClient.invalidateQueries(endpointQueryFilter(adminModelsApi.states)),
      ]);
      onDone();
    },
  });

  function onSubmit(event: SubmitEvent) {
    event.preventDefault();
    change.mutate('set');
  }

  return (
    <form onSubmit={onSubmit}>
      <Stack gap="sm">
        {change.error && <ErrorNote error={change.error} />}
        <PasswordInput
          label={t('providerKeys.key')}
          description={t(
            source === 'environment' ? 'providerKeys.keyHasNoEffect' : 'providerKeys.keyAbout',
          )}
          required
          withAsterisk={false}
          maxLength={1000}
          autoComplete="off"
          data-autofocus
          visibilityToggleButtonProps={{ 'aria-label': t('providerKeys.show') }}
          value={key}
          onChange={(event) => setKey(event.currentTarget.value)}
        />
        <Group justify="flex-end" gap="xs">
          {enteredAt !== undefined && (
            <Button variant="default" onClick={() => change.mutate('remove')}>
              {t('providerKeys.forget')}
            </Button>
          )}
          <Button variant="default" onClick={onDone}>
            {t('action.cancel')}
          </Button>
          <Button type="submit" loading={change.isPending}>
            {t('providerKeys.save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
