import { adminSettingsApi, type SettingsFile } from '@knowhow/shared/config/admin-settings';
import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { query } from '../../../api/query.ts';
import { PageFrame } from '../../../ui/layout/page-frame.tsx';
import { ErrorNote } from '../../../ui/text/error-note.tsx';
import { SettingsEditor } from './settings-editor.tsx';
import { SettingsTabs } from './settings-tabs.tsx';

/** The settings of the installation. */
export function SettingsPage({ file }: { file: SettingsFile }) {
  const { t } = useTranslation();
  const settings = useQuery(query(adminSettingsApi.get, { params: { id: file } }));
  if (settings.data) {
    return <SettingsEditor key={file} settings={settings.data} />;
  }
  return (
    <PageFrame title={t('adminPages.settings')} description={t('settings.about')}>
      <SettingsTabs file={file} />
      {settings.error ? (
        <ErrorNote error={settings.error} onRetry={() => void settings.refetch()} />
      ) : (
        <Skeleton height={320} role="status" aria-label={t('state.loading')} />
      )}
    </PageFrame>
  );
}
