import { NativeSelect } from '@mantine/core';

interface IdSelectProps {
  label: string;
  /** What it says while no id is chosen. */
  all: string;
  /** Undefined until they are loaded. Those without a name show their id. */
  items: readonly { id: string; name?: string }[] | undefined;
  /** Of one that is gone, too: it may still be in an address, and in what is looked through. */
  value: string;
  onChange: (id: string) => void;
}

/** A filter: one of these, or all. */
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
