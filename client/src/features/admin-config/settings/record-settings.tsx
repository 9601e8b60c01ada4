import { useTranslation } from 'react-i18next';
import { FormSection } from '../form-section.tsx';
import classes from '../items/item-page.module.css';
import { SettingNumber } from './setting-number.tsx';

/** The settings of recording and retention. */
export function RecordSettings() {
  const { t } = useTranslation();
  return (
    <FormSection
      title={t('settings.records')}
      description={t('settings.recordsAbout')}
      fields={['analytics', 'traces']}
    >
      <div className={classes.pair}>
        <SettingNumber path="analytics.days" label={t('settings.analyticsDays')} fallback={400} />
        <SettingNumber path="traces.days" label={t('settings.traceDays')} fallback={30} />
      </div>
    </FormSection>
  );
}
