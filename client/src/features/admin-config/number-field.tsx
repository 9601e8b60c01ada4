import { declarationOf } from '@knowhow/shared/config/schema-fields';
import { NumberInput } from '@mantine/core';
import { useState } from 'react';
import type { ConfigPath } from './items/config-path.ts';
import { asNumber } from './items/config-value.ts';
import { useDraft, useField } from './items/draft-context.ts';

interface NumberFieldProps {
  path: ConfigPath;
  label: string;
  description?: string;
  /** Default: the default value of the schema. */
  placeholder?: string;
  /** Decimal places. */
  decimals?: number;
}

/** A number. Its bounds are those of the schema; a value outside of them gets an error when it is saved. */
export function NumberField({ path, decimals = 0, ...rest }: NumberFieldProps) {
  const { value, set, error } = useField(path);
  const declared = declarationOf(useDraft().schema, path);
  // While `0.` is typed, the text is kept as it is and counts as the number it represents.
  const [typed, setTyped] = useState<string | number>('');
  const number = asNumber(value);
  const isTyped = typed !== '' && Number(typed) === number;
  const take = (changed: string | number) => {
    setTyped(changed);
    set(changed === '' ? undefined : asNumber(Number(changed)));
  };
  return (
    <NumberInput
      placeholder={declared.default === undefined ? undefined : String(declared.default)}
      {...rest}
      min={declared.min}
      max={declared.max}
      clampBehavior="none"
      value={isTyped ? typed : (number ?? '')}
      error={error}
      decimalScale={decimals}
      allowNegative={false}
      inputMode={decimals === 0 ? 'numeric' : 'decimal'}
      hideControls
      onChange={take}
    />
  );
}
