import { TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './fields.module.css';
import type { ConfigPath } from './items/config-path.ts';
import { asText } from './items/config-value.ts';
import { useField } from './items/draft-context.ts';

interface TextFieldProps {
  path: ConfigPath;
  label: string;
  description?: ReactNode;
  placeholder?: string;
  /** For exact input: an ID, an address. */
  isCode?: boolean;
  leftSection?: ReactNode;
}

/** A text that is the same in every language. */
export function TextField({ path, isCode = false, ...rest }: TextFieldProps) {
  const { value, set, error } = useField(path);
  return (
    <TextInput
      {...rest}
      value={asText(value) ?? ''}
      error={error}
      classNames={isCode ? { input: classes.code } : {}}
      spellCheck={isCode ? false : undefined}
      autoCapitalize={isCode ? 'none' : undefined}
      autoComplete="off"
      onChange={(event) => set(event.currentTarget.value || undefined)}
    />
  );
}
