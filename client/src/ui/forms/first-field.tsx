import { TextInput } from '@mantine/core';

interface FirstFieldProps {
  label: string;
  description?: string;
  maxLength: number;
  value: string;
  onChange: (value: string) => void;
}

/** A required name field, focused when the dialog opens. */
export function FirstField({ onChange, ...rest }: FirstFieldProps) {
  return (
    <TextInput
      {...rest}
      required
      withAsterisk={false}
      autoComplete="off"
      autoFocus
      data-autofocus
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
