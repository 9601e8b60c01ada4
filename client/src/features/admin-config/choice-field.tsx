import { declarationOf } from '@knowhow/shared/config/schema-fields';
import { NativeSelect } from '@mantine/core';
import type { ConfigPath } from './items/config-path.ts';
import { asText } from './items/config-value.ts';
import { useDraft, useField } from './items/draft-context.ts';

interface ChoiceFieldProps {
  path: ConfigPath;
  label: string;
  description?: string;
  choices: { value: string; label: string }[];
  /** Label for no choice, if that is allowed. */
  nothing?: string;
}

/** A select; an unknown value from the file is kept as an option. */
export function ChoiceField({ path, choices, nothing, ...rest }: ChoiceFieldProps) {
  const { value, set, error } = useField(path);
  const declared = declarationOf(useDraft().schema, path);
  const byDefault = nothing === undefined ? asText(declared.default) : undefined;
  const chosen = asText(value) ?? byDefault ?? '';
  const isKnown = chosen === '' || choices.some((choice) => choice.value === chosen);
  return (
    <NativeSelect
      {...rest}
      value={chosen}
      error={error}
      data={[
        ...(nothing === undefined ? [] : [{ value: '', label: nothing }]),
        ...choices,
        ...(isKnown ? [] : [{ value: chosen, label: chosen }]),
      ]}
      onChange={(event) => set(event.currentTarget.value || undefined)}
    />
  );
}
