import { type ProviderKey, providerKeysApi } from '@knowhow/shared/access/provider-keys';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { allItems } from '../../../api/query.ts';
import { CardTable } from '../../../ui/layout/card-table.tsx';
import { Section } from '../../../ui/layout/section.tsx';
import { ErrorNote } from '../../../ui/text/error-note.tsx';
import { useFormat } from '../../../ui/text/use-format.ts';
import { ProviderKeyDialog } from './provider-key-dialog.tsx';
import classes from './provider-keys.module.css';
import { TestKey } from './test-key.tsx';

const keysQuery = allItems(providerKeysApi.list, {});

/** The API keys that models use: their source, with actions to enter and test them. */
export function ProviderKeys() {
  const { t } = useTranslation();
  const keys = useQuery({ ...keysQuery, staleTime: 0 });
  const [chosen, setChosen] = useState<ProviderKey>();
  const [isOpen, setOpen] = useState(false);
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
