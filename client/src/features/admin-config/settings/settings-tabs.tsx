import type { SettingsFile } from '@knowhow/shared/config/admin-settings';
import { SegmentedControl } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import classes from './settings-tabs.module.css';

/** Tabs of the settings. */
export function SettingsTabs({ file }: { file: SettingsFile }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  return (
    <SegmentedControl
      className={classes.tabs}
      aria-label={t('adminPages.settings')}
      value={file}
      onChange={(next) =>
        navigate(next === 'skills' ? '/admin/settings/skills' : '/admin/settings')
      }
      data={[
        { value: 'platform', label: t('settings.platform') },
        { value: 'skills', label: t('settings.skills') },
      ]}
    />
  );
}
