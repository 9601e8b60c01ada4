import { TagsInput } from '@mantine/core';
import type { ConfigPath } from '../items/config-path.ts';
import { asTexts } from '../items/config-value.ts';
import { useDraft, useField } from '../items/draft-context.ts';

interface WordsFieldProps {
  path: ConfigPath;
  label: string;
  description?: string;
}

/** A list of typed values; errors are shown below the list. */
export function WordsField({ path, ...rest }: WordsFieldProps) {
  const { form } = useDraft();
  const { value, set } = useField(path);
  const found = Object.entries(form.errors).find(
    ([name]) => name === path || name.startsWith(`${path}.`),
  );
  return (
    <TagsInput
      {...rest}
      value={asTexts(value)}
      error={found?.[1]}
      onChange={(next) => set(next.length > 0 ? next : undefined)}
    />
  );
}
