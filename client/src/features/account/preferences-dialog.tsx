import { type Preferences, preferencesApi } from '@knowhow/shared/access/preferences';
import { Modal, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { query } from '../../api/query.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import { PreferencesForm } from './preferences-form.tsx';

const preferencesQuery = query(preferencesApi.get, {});

/** Custom instructions: background, answer style and answer language. */
export function PreferencesDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const [isDirty, setDirty] = useState(false);
  const [asks, setAsks] = useState(false);
  return (
    <>
      <Modal
        opened
        onClose={() => (isDirty ? setAsks(true) : onClose())}
        title={t('account.preferences')}
        closeButtonProps={{ 'aria-label': t('action.close') }}
        size="lg"
        centered
      >
        <Loaded onDirty={setDirty} onSaved={onClose} />
      </Modal>
      <ConfirmDialog
        title={t('preferences.leaveTitle')}
        opened={asks}
        onClose={() => setAsks(false)}
        onConfirm={onClose}
        confirmLabel={t('preferences.leave')}
      >
        <p>{t('preferences.leaveAbout')}</p>
      </ConfirmDialog>
    </>
  );
}

interface LoadedProps {
  onDirty: (isDirty: boolean) => void;
  onSaved: () => void;
}

function Loaded(props: LoadedProps) {
  const { t } = useTranslation();
  const { data, error, isFetching, refetch } = useQuery({ ...preferencesQuery, staleTime: 0 });
  const [first, setFirst] = useState<Preferences>();
  if (data && !isFetching && !first) {
    setFirst(data);
  }
  if (error && !first) {
    return <ErrorNote error={error} onRetry={() => refetch()} />;
  }
  return first ? (
    <PreferencesForm stored={first} {...props} />
  ) : (
    <div role="status" aria-label={t('state.loading')}>
      <Skeleton height={110} />
      <Skeleton height={110} mt={16} />
    </div>
  );
}
