import type { SettingsFile } from '@knowhow/shared/config/admin-settings';
import { useTranslation } from 'react-i18next';
import { DetailsPanel } from '../facts.tsx';
import classes from './file-only.module.css';

/** Settings that cannot be changed here, and why. */
export function FileOnly({ file }: { file: SettingsFile }) {
  const { t } = useTranslation();
  return (
    <DetailsPanel title={t('settings.elsewhere')}>
      <dl className={classes.list}>
        {reasons[file].map(([field, reason]) => (
          <div key={field}>
            <dt>{field}</dt>
            <dd>{t(reason)}</dd>
          </div>
        ))}
      </dl>
    </DetailsPanel>
  );
}

const environment = ['.env', 'settings.why.environment'] as const;

const reasons = {
  platform: [
    ['oidcAuth, proxyAuth', 'settings.why.signIn'],
    ['localAuth.enabled', 'settings.why.passwords'],
    ['placeholders', 'settings.why.placeholders'],
    environment,
  ],
  skills: [['skillsDirectory, sources', 'settings.why.folders'], environment],
} as const satisfies Record<SettingsFile, readonly (readonly [string, string])[]>;
