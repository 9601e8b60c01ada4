import { type ProviderKey, providerKeysApi } from '@knowhow/shared/access/provider-keys';
import { adminModelsApi } from '@knowhow/shared/config/admin-config';
import { Button, Group, Modal, PasswordInput, Stack } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/call.ts';
import { allItems, endpointQueryFilter } from '../../../api/query.ts';
import { useFocusBack } from '../../../ui/focus/use-focus-back.ts';
import { CardTable } from '../../../ui/layout/card-table.tsx';
import { Section } from '../../../ui/layout/section.tsx';
import { ErrorNote } from '../../../ui/text/error-note.tsx';
import { useErrorText } from '../../../ui/text/use-error-text.ts';
import { useFormat } from '../../../ui/text/use-format.ts';
import classes from './provider-keys.module.css';

const keysQuery = allItems(providerKeysApi.list, {});

/** The API keys that models use: their source, with actions to enter and test them. */
export function ProviderKeys() {
  const { t } = useTranslation();
  const keys = useQuery({ ...keysQuery, staleTime: 0 });
  const [chosen, setChosen] = useState<ProviderKey>();
  const [isOpen, setOpen] = useState(false);
  useFocusBack(isOpen);
  return (
    <div className={classes.keys}>
      <Section title={t('providerKeys.title')} text={t('providerKeys.about')}>
        {keys.error && <ErrorNote error={keys.error} onRetry={() => keys.refetch()} />}
        {keys.data && (
          <KeyTable
            keys={keys.data}
            onEnter={(key) => {
              setChosen(key);
              setOpen(true);
            }}
          />
        )}
        {chosen && (
          <ProviderKeyDialog details={chosen} opened={isOpen} onClose={() => setOpen(false)} />
        )}
      </Section>
    </div>
  );
}

interface KeyTableProps {
  keys: ProviderKey[];
  onEnter: (key: ProviderKey) => void;
}

function KeyTable({ keys, onEnter }: KeyTableProps) {
  const { t } = useTranslation();
  const { relativeDate } = useFormat();

  function stateOf({ source, isNeeded, enteredBy: name, enteredAt }: ProviderKey): string {
    const when = enteredAt === undefined ? '' : relativeDate(enteredAt);
    const entered = t('providerKeys.entered', { name, when });
    switch (source) {
      case 'none':
        return t(isNeeded ? 'providerKeys.none' : 'providerKeys.notNeeded');
      case 'entered':
        return entered;
      case 'environment':
        return enteredAt === undefined
          ? t('providerKeys.environment')
          : t('providerKeys.environmentWins');
    }
  }

  return (
    <CardTable
      label={t('providerKeys.title')}
      rows={keys}
      keyOf={({ variable }) => variable}
      head={{
        label: t('providerKeys.variable'),
        render: ({ variable }) => <code className={classes.variable}>{variable}</code>,
      }}
      columns={[
        { label: t('providerKeys.state'), render: stateOf },
        { label: t('providerKeys.models'), render: ({ models }) => models.join(', ') },
        {
          label: t('providerKeys.test'),
          render: ({ source, models: [model] }) =>
            source !== 'none' && model !== undefined && <TestKey model={model} />,
        },
      ]}
      action={{
        label: t('providerKeys.actions'),
        render: (key) => (
          <Button
            variant="default"
            size="xs"
            aria-label={t('providerKeys.enterOf', { variable: key.variable })}
            onClick={() => onEnter(key)}
          >
            {t(key.enteredAt === undefined ? 'providerKeys.enter' : 'providerKeys.change')}
          </Button>
        ),
      }}
    />
  );
}

/** Sends a test request with the key and shows the result. */
function TestKey({ model: id }: { model: string }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const test = useMutation({ mutationFn: () => call(adminModelsApi.test, { params: { id } }) });
  const { works, milliseconds, message } = test.data ?? {};
  return (
    <>
      <Button variant="default" size="xs" loading={test.isPending} onClick={() => test.mutate()}>
        {t('providerKeys.testWith', { model: id })}
      </Button>
      <span role="status">
        {works === true && ` ${t('providerKeys.works', { count: milliseconds })}`}
        {works === false && ` ${message}`}
        {test.error && ` ${errorText(test.error).title}`}
      </span>
    </>
  );
}

interface ProviderKeyDialogProps {
  details: ProviderKey;
  opened: boolean;
  onClose: () => void;
}

/** Enters or deletes a provider's API key. */
function ProviderKeyDialog({ details, opened, onClose }: ProviderKeyDialogProps) {
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
