import { NativeSelect } from '@mantine/core';

interface IdSelectProps {
  label: string;
  /** Label while no ID is selected. */
  all: string;
  /** Undefined until loaded. Items without a name show their ID. */
  items: readonly { id: string; name?: string }[] | undefined;
  /** The label of a deleted item, which may still be in a URL or in the data. */
  value: string;
  onChange: (id: string) => void;
}

/** A filter: one item, or all. */
export function IdSelect({ label, all, items = [], value, onChange }: IdSelectProps) {
  const isKnown = value === '' || items.some(({ id }) => id === value);
  const shown = isKnown ? items : [{ id: value }, ...items];
  return (
    <NativeSelect
      aria-label={label}
      value={value}
      data={[
        { value: '', label: all },
        ...shown.map(({ id, name = id }) => ({ value: id, label: name })),
      ]}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
