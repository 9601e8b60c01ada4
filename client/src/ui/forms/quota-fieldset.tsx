import { type QuotaField, quotaFields } from '@knowhow/shared/access/quotas';
import { Fragment, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './quota-fieldset.module.css';

interface QuotaFieldsetProps {
  /** Label of the quota's subject. */
  label: string;
  description: string;
  /** The field of one limit. */
  field: (name: QuotaField, label: string) => ReactNode;
}

/** Quotas, with a field per limit. */
export function QuotaFieldset({ label, description, field }: QuotaFieldsetProps) {
  const { t } = useTranslation();
  return (
    <fieldset className={classes.quota}>
      <legend>{label}</legend>
      <p>{description}</p>
      <div className={classes.fields}>
        {quotaFields.map((name) => (
          <Fragment key={name}>{field(name, t(labels[name]))}</Fragment>
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
