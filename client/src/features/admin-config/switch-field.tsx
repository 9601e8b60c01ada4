import { Switch } from '@mantine/core';
import { useField } from './items/draft-context.ts';

interface SwitchFieldProps {
  path: string;
  label: string;
  description?: string;
  /** The default value. */
  fallback?: boolean;
  isDisabled?: boolean;
}

export function SwitchField({
  path,
  fallback = false,
  isDisabled = false,
  ...rest
}: SwitchFieldProps) {
  const { value, set, error } = useField(path);
  return (
    <Switch
      {...rest}
      disabled={isDisabled}
      checked={typeof value === 'boolean' ? value : fallback}
      error={error}
      onChange={(event) => set(event.currentTarget.checked)}
    />
  );
}
