import type { Quota } from '@knowhow/shared/access/quotas';
import { NumberInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { QuotaFieldset } from '../../ui/forms/quota-fieldset.tsx';

interface QuotaInputsProps {
  quota: Quota;
  onChange: (quota: Quota) => void;
}

/** Quota of a key. An empty field uses the platform default. */
export function QuotaInputs({ quota, onChange }: QuotaInputsProps) {
  const { t } = useTranslation();
  return (
    <QuotaFieldset
      label={t('adminKeys.quota')}
      description={t('adminKeys.quotaAbout')}
      field={(name, label) => (
        <NumberInput
          label={label}
          allowNegative={false}
          allowDecimal={false}
          inputMode="numeric"
          hideControls
          value={quota[name] ?? ''}
          onChange={(value) => onChange({ ...quota, [name]: parseLimit(value) })}
        />
      )}
    />
  );
}

function parseLimit(value: number | string): number | undefined {
  const number = value === '' ? Number.NaN : Number(value);
  return Number.isSafeInteger(number) ? number : undefined;
}
