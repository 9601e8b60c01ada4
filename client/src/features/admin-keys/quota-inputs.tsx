import { type Quota, quotaFields } from '@knowhow/shared/quotas';
import { NumberInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from './admin-keys.module.css';

interface QuotaInputsProps {
  quota: Quota;
  onChange: (quota: Quota) => void;
}

/** How much may be used with a key. An empty field leaves it to the platform. */
export function QuotaInputs({ quota, onChange }: QuotaInputsProps) {
  const { t } = useTranslation();
  return (
    <fieldset className={classes.quota}>
      <legend>{t('adminKeys.quota')}</legend>
      <p className={classes.about}>{t('adminKeys.quotaAbout')}</p>
      <div className={classes.quotaFields}>
        {quotaFields.map((field) => (
          <NumberInput
            key={field}
            label={t(labels[field])}
            allowNegative={false}
            allowDecimal={false}
            inputMode="numeric"
            hideControls
            value={quota[field] ?? ''}
            onChange={(value) => onChange({ ...quota, [field]: numberOf(value) })}
          />
        ))}
      </div>
    </fieldset>
  );
}

function numberOf(value: number | string): number | undefined {
  const number = value === '' ? Number.NaN : Number(value);
  return Number.isSafeInteger(number) ? number : undefined;
}

const labels = {
  turnsPerDay: 'adminConfig.quota.turnsPerDay',
  turnsPerMonth: 'adminConfig.quota.turnsPerMonth',
  tokensPerDay: 'adminConfig.quota.tokensPerDay',
  tokensPerMonth: 'adminConfig.quota.tokensPerMonth',
} as const;
