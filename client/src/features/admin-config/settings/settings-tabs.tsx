import { SegmentedControl } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import classes from './settings-tabs.module.css';

const paths = {
  platform: '/admin/settings',
  skills: '/admin/settings/skills',
  mail: '/admin/settings/mail',
} as const;

/** Links between the pages of settings. */
export function SettingsTabs({ page }: { page: keyof typeof paths }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  return (
    <SegmentedControl
      className={classes.tabs}
      aria-label={t('adminPages.settings')}
      value={page}
      onChange={(next) => navigate(paths[next])}
      data={[
        { value: 'platform', label: t('settings.platform') },
        { value: 'skills', label: t('settings.skills') },
        { value: 'mail', label: t('mail.title') },
      ]}
    />
  );
}
