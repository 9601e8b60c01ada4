import { NumberInput } from '@mantine/core';
import { numberOf } from './config-value.ts';
import { useField } from './draft-context.ts';

interface NumberFieldProps {
  path: string;
  label: string;
  description?: string;
  placeholder?: string;
  /** Digits after the point. */
  decimals?: number;
}

export function NumberField({ path, decimals = 0, ...rest }: NumberFieldProps) {
  const { value, set, error } = useField(path);
  return (
    <NumberInput
      {...rest}
      value={numberOf(value) ?? ''}
      error={error}
      decimalScale={decimals}
      allowNegative={false}
      inputMode={decimals === 0 ? 'numeric' : 'decimal'}
      hideControls
      onChange={(changed) => set(typeof changed === 'number' ? changed : undefined)}
    />
  );
}
