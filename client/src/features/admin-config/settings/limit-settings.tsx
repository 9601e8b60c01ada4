import { useTranslation } from 'react-i18next';
import { FormSection } from '../form-section.tsx';
import { QuotaFields } from '../groups/quota-fields.tsx';
import classes from '../items/item-page.module.css';
import { SettingNumber } from './setting-number.tsx';

/** Quotas and rate limits. */
export function LimitSettings() {
  const { t } = useTranslation();
  return (
    <>
      <FormSection
        title={t('settings.quotas')}
        description={t('adminConfig.quota.about')}
        fields={['quotas']}
      >
        <QuotaFields
          path="quotas.user"
          label={t('settings.ofUser')}
          description={t('settings.ofUserAbout')}
        />
        <QuotaFields
          path="quotas.key"
          label={t('settings.ofKey')}
          description={t('settings.ofKeyAbout')}
        />
      </FormSection>
      <FormSection
        title={t('settings.rates')}
        description={t('settings.ratesAbout')}
        fields={['rateLimit']}
      >
        <div className={classes.pair}>
          <SettingNumber path="rateLimit.requests" label={t('settings.requests')} fallback={1200} />
          <SettingNumber path="rateLimit.turns" label={t('settings.turns')} fallback={600} />
          <SettingNumber
            path="rateLimit.failedLogins"
            label={t('settings.failedLogins')}
            fallback={10}
          />
          <SettingNumber path="rateLimit.streams" label={t('settings.streams')} fallback={100} />
        </div>
      </FormSection>
    </>
  );
}
