import { NumberInput } from '@mantine/core';
import { useState } from 'react';
import { asNumber } from './items/config-value.ts';
import { useField } from './items/draft-context.ts';

interface NumberFieldProps {
  path: string;
  label: string;
  description?: string;
  placeholder?: string;
  /** Decimal places. */
  decimals?: number;
}

export function NumberField({ path, decimals = 0, ...rest }: NumberFieldProps) {
  const { value, set, error } = useField(path);
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
      {...rest}
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
