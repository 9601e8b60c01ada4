import { QuotaFieldset } from '../../../ui/forms/quota-fieldset.tsx';
import { NumberField } from '../number-field.tsx';

interface QuotaFieldsProps {
  /** Path in the draft, such as `quotas.each`. */
  path: `quotas.${'user' | 'key' | 'each' | 'together'}`;
  /** Label of the quota's subject. */
  label: string;
  description: string;
}

/** Quota fields. An empty field sets no limit. */
export function QuotaFields({ path, ...words }: QuotaFieldsProps) {
  return (
    <QuotaFieldset
      {...words}
      field={(name, label) => <NumberField path={`${path}.${name}`} label={label} />}
    />
  );
}
