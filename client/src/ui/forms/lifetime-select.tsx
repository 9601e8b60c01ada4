import { NativeSelect } from '@mantine/core';

interface LifetimeSelectProps {
  label: string;
  /** In days; undefined for unlimited. */
  value: number | undefined;
  choices: readonly number[];
  /** Label of an option. */
  nameOf: (count: number) => string;
  /** Label of an unlimited lifetime, if allowed. */
  never?: string;
  onChange: (days: number | undefined) => void;
}

/** Selects a lifetime. */
export function LifetimeSelect(props: LifetimeSelectProps) {
  const { label, value, choices, nameOf, never, onChange } = props;
  return (
    <NativeSelect
      label={label}
      value={value ?? ''}
      onChange={({ currentTarget }) =>
        onChange(currentTarget.value === '' ? undefined : Number(currentTarget.value))
      }
    >
      {choices.map((count) => (
        <option key={count} value={count}>
          {nameOf(count)}
        </option>
      ))}
      {never !== undefined && <option value="">{never}</option>}
    </NativeSelect>
  );
}
