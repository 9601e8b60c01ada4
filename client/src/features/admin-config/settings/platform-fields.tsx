import { useTranslation } from 'react-i18next';
import { useRight } from '../../../ui/rights.ts';
import { FormSection } from '../form-section.tsx';
import { QuotaFields } from '../groups/quota-fields.tsx';
import { useChoices } from '../use-choices.ts';
import { SettingField } from './setting-field.tsx';
import { SettingsSection } from './settings-section.tsx';

/** Settings of the whole installation. */
export function PlatformFields() {
  const { t } = useTranslation();
  const groups = useChoices('groups');
  return (
    <>
      <SettingsSection
        title={t('settings.people')}
        fields={['anonymousAuth', 'authenticatedGroups']}
        special={{
          'anonymousAuth.defaultGroups': (
            <SettingField path="anonymousAuth.defaultGroups" choices={groups} />
          ),
          authenticatedGroups: <SettingField path="authenticatedGroups" choices={groups} />,
        }}
      />
      <SettingsSection title={t('settings.sessions')} fields={['localAuth']} />
      <Quotas />
      <SettingsSection
        title={t('settings.rates')}
        description={t('settings.ratesAbout')}
        fields={['rateLimit']}
      />
      <SettingsSection
        title={t('settings.conversations')}
        fields={['titles', 'sharing', 'turns', 'activeSkills']}
      />
      <SettingsSection
        title={t('settings.browser')}
        fields={['speech', 'installable', 'answers']}
      />
      <SettingsSection
        title={t('settings.records')}
        description={t('settings.recordsAbout')}
        fields={['analytics', 'traces']}
      />
      <OutboundSettings />
    </>
  );
}

function Quotas() {
  const { t } = useTranslation();
  return (
    <FormSection
      title={t('settings.quotas')}
      description={t('adminConfig.quota.about')}
      fields={['quotas']}
    >
      <QuotaFields
        path="quotas.user"
        label={t('settings.fields.quotas.user')}
        description={t('settings.fields.quotas.userAbout')}
      />
      <QuotaFields
        path="quotas.key"
        label={t('settings.fields.quotas.key')}
        description={t('settings.fields.quotas.keyAbout')}
      />
    </FormSection>
  );
}

/** Outbound connections of the server: for full administrators only. */
function OutboundSettings() {
  const { t } = useTranslation();
  if (!useRight()) {
    return null;
  }
  return (
    <>
      <SettingsSection title={t('settings.outbound')} fields={['outbound']} />
      <SettingsSection
        title={t('settings.embedder')}
        description={t('settings.embedderAbout')}
        fields={['embedder']}
        special={{
          'embedder.provider': (
            <SettingField path="embedder.provider" nothing={t('settings.noEmbedder')} />
          ),
        }}
      />
    </>
  );
}
