import { NativeSelect } from '@mantine/core';

interface LifetimeSelectProps {
  label: string;
  /** In days; undefined is for ever. */
  value: number | undefined;
  choices: readonly number[];
  /** How one is called. */
  nameOf: (count: number) => string;
  /** What for ever is called, where it can be chosen. */
  never?: string;
  onChange: (days: number | undefined) => void;
}

/** How long something is good. */
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
