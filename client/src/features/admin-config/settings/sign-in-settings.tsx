import { useTranslation } from 'react-i18next';
import { FormSection } from '../form-section.tsx';
import { IdsField } from '../ids-field.tsx';
import classes from '../items/item-page.module.css';
import { SwitchField } from '../switch-field.tsx';
import { useChoices } from '../use-choices.ts';
import { SettingNumber } from './setting-number.tsx';
import { useEnvironment } from './settings-context.ts';

/** Guests, passwords and sessions. */
export function SignInSettings() {
  const { t } = useTranslation();
  const groups = useChoices('groups');
  const isOpen = useEnvironment('anonymousAuth.enabled')?.value === 'true';
  return (
    <>
      <FormSection title={t('settings.people')} fields={['anonymousAuth', 'authenticatedGroups']}>
        <SwitchField
          path="anonymousAuth.enabled"
          label={t('settings.guests')}
          description={t('settings.guestsAbout')}
          fallback={isOpen}
        />
        <IdsField
          path="anonymousAuth.defaultGroups"
          label={t('settings.guestGroups')}
          choices={groups}
        />
        <IdsField
          path="authenticatedGroups"
          label={t('settings.everyGroup')}
          description={t('settings.everyGroupAbout')}
          choices={groups}
        />
      </FormSection>
      <FormSection title={t('settings.sessions')} fields={['localAuth']}>
        <div className={classes.pair}>
          <SettingNumber
            path="localAuth.sessionTimeoutMinutes"
            label={t('settings.sessionMinutes')}
            fallback={480}
          />
          <SettingNumber
            path="localAuth.idleTimeoutMinutes"
            label={t('settings.idleMinutes')}
            fallback={120}
          />
          <SettingNumber
            path="localAuth.maxSessions"
            label={t('settings.maxSessions')}
            fallback={50}
          />
          <SettingNumber
            path="localAuth.passwordMinLength"
            label={t('settings.passwordLength')}
            fallback={8}
          />
        </div>
      </FormSection>
    </>
  );
}
