import { TextInput } from '@mantine/core';

interface PlainFieldProps {
  label: string;
  description?: string;
  placeholder?: string;
  maxLength: number;
  /** Whether it is focused when its dialog opens. */
  isFocused?: boolean;
  value: string;
  onChange: (value: string) => void;
}

/** A field for an address, a path or a name, which a browser neither corrects nor completes. */
export function PlainField({ onChange, isFocused = false, ...rest }: PlainFieldProps) {
  return (
    <TextInput
      {...rest}
      {...(isFocused ? { 'data-autofocus': true } : {})}
      autoCapitalize="none"
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
