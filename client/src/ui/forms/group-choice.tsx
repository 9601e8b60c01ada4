import { MultiSelect } from '@mantine/core';
import { useGroupNames } from '../text/use-group-names.ts';

interface GroupChoiceProps {
  label: string;
  description: string;
  value: string[];
  onChange: (groups: string[]) => void;
}

/** Selects the groups of a user or a key. */
export function GroupChoice(props: GroupChoiceProps) {
  const groupNames = useGroupNames();
  return (
    <MultiSelect
      {...props}
      data={[...groupNames].map(([value, label]) => ({ value, label }))}
      searchable
      hidePickedOptions
    />
  );
}
