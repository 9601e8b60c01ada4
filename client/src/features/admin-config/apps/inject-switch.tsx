import { Switch } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useAutoInject } from '../use-name-list.ts';

/** Whether a skill is active in every conversation of this app. */
export function InjectSwitch({ name }: { name: string }) {
  const { t } = useTranslation();
  const { has, set } = useAutoInject();
  return (
    <Switch
      size="xs"
      label={t('adminConfig.app.inject')}
      aria-label={t('adminConfig.app.injectOf', { name })}
      checked={has(name)}
      onChange={(event) => set(name, event.currentTarget.checked)}
    />
  );
}
