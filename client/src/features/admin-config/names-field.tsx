import { TagsInput } from '@mantine/core';
import { textsOf } from './config-value.ts';
import { useField } from './draft-context.ts';

interface NamesFieldProps {
  path: string;
  label: string;
  description?: string;
}

/** A list of words that are typed. */
export function NamesField({ path, ...rest }: NamesFieldProps) {
  const { value, set, error } = useField(path);
  return <TagsInput {...rest} value={textsOf(value)} error={error} onChange={set} />;
}
