import { apiKeysApi } from '@knowhow/shared/access/api-keys';
import { Button, Modal, Skeleton } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { query } from '../../api/query.ts';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import list from './account-list.module.css';
import { ApiKeyRow } from './api-key-row.tsx';
import classes from './api-keys-dialog.module.css';
import { type CreatedApiKey, NewApiKey } from './new-api-key.tsx';
import { ShownApiKey } from './shown-api-key.tsx';

const keysQuery = query(apiKeysApi.list, { query: { limit: 200 } });

type Step = { kind: 'list' } | { kind: 'new' } | { kind: 'made'; made: CreatedApiKey };

/** The user's API keys: the list, a form for a new one, and the new key, shown once. */
export function ApiKeysDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [step, setStep] = useState<Step>({ kind: 'list' });
  const refresh = () => queryClient.invalidateQueries(keysQuery);
  const toList = () => setStep({ kind: 'list' });
  return (
    <Modal
      opened
      onClose={onClose}
      // A click outside the dialog would lose a key that is shown once.
      closeOnClickOutside={step.kind !== 'made'}
      title={t(step.kind === 'new' ? 'apiKeys.new' : 'account.apiKeys')}
      closeButtonProps={{ 'aria-label': t('action.close') }}
      size="lg"
      centered
    >
      {step.kind === 'list' && (
        <KeyList onChange={refresh} onNew={() => setStep({ kind: 'new' })} />
      )}
      {step.kind === 'new' && (
        <NewApiKey
          onCancel={toList}
          onMade={(made) => {
            setStep({ kind: 'made', made });
            void refresh();
          }}
        />
      )}
      {step.kind === 'made' && <ShownApiKey made={step.made} onDone={toList} />}
    </Modal>
  );
}

function KeyList({ onChange, onNew }: { onChange: () => unknown; onNew: () => void }) {
  const { t } = useTranslation();
  const keys = useQuery({ ...keysQuery, staleTime: 0 });
  const items = keys.data?.items;
  return (
    <>
      <p className={list.about}>
        {t('apiKeys.about')} {items?.length === 0 && t('apiKeys.empty')}
      </p>
      <Button className={classes.new} onClick={onNew}>
        {t('apiKeys.new')}
      </Button>
      {keys.error && !items && <ErrorNote error={keys.error} onRetry={() => keys.refetch()} />}
      {keys.isPending && (
        <div role="status" aria-label={t('state.loading')}>
          <Skeleton height={96} />
        </div>
      )}
      <ul className={list.list}>
        {items?.map((key) => (
          <ApiKeyRow key={key.id} details={key} onRevoked={onChange} />
        ))}
      </ul>
    </>
  );
}
