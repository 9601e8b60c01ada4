import { quotaFields } from '@knowhow/shared/quotas';
import { useTranslation } from 'react-i18next';
import { NumberField } from '../number-field.tsx';
import classes from './quota-fields.module.css';

interface QuotaFieldsProps {
  /** Where it is in the draft, such as `quotas.each`. */
  path: string;
  /** Whose it is. */
  label: string;
  description: string;
}

/** How much may be used at most. An empty field says nothing of it. */
export function QuotaFields({ path, label, description }: QuotaFieldsProps) {
  const { t } = useTranslation();
  return (
    <fieldset className={classes.quota}>
      <legend>{label}</legend>
      <p>{description}</p>
      <div className={classes.fields}>
        {quotaFields.map((field) => (
          <NumberField key={field} path={`${path}.${field}`} label={t(labels[field])} />
        ))}
      </div>
    </fieldset>
  );
}

const labels = {
  turnsPerDay: 'adminConfig.quota.turnsPerDay',
  turnsPerMonth: 'adminConfig.quota.turnsPerMonth',
  tokensPerDay: 'adminConfig.quota.tokensPerDay',
  tokensPerMonth: 'adminConfig.quota.tokensPerMonth',
} as const;
