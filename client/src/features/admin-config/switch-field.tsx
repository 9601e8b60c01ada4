import { declarationOf } from '@knowhow/shared/config/schema-fields';
import { Switch } from '@mantine/core';
import type { ConfigPath } from './items/config-path.ts';
import { useDraft, useField } from './items/draft-context.ts';

interface SwitchFieldProps {
  path: ConfigPath;
  label: string;
  description?: string;
  /** If it is missing. Default: the default value of the schema. */
  fallback?: boolean;
  isDisabled?: boolean;
}

export function SwitchField({ path, fallback, isDisabled = false, ...rest }: SwitchFieldProps) {
  const { value, set, error } = useField(path);
  const declared = declarationOf(useDraft().schema, path);
  return (
    <Switch
      {...rest}
      disabled={isDisabled}
      checked={typeof value === 'boolean' ? value : (fallback ?? declared.default === true)}
      error={error}
      onChange={(event) => set(event.currentTarget.checked)}
    />
  );
}
