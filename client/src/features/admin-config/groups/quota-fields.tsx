import { QuotaFieldset } from '../../../ui/forms/quota-fieldset.tsx';
import { NumberField } from '../number-field.tsx';

interface QuotaFieldsProps {
  /** Where it is in the draft, such as `quotas.each`. */
  path: string;
  /** Whose it is. */
  label: string;
  description: string;
}

/** How much may be used at most. An empty field says nothing of it. */
export function QuotaFields({ path, ...words }: QuotaFieldsProps) {
  return (
    <QuotaFieldset
      {...words}
      field={(name, label) => <NumberField path={`${path}.${name}`} label={label} />}
    />
  );
}
