import { TextInput } from '@mantine/core';
import { useId } from 'react';

interface PathInputProps {
  label: string;
  description: string;
  error?: string | undefined;
  value: string;
  onChange: (value: string) => void;
  /** Beginnings of a path that are proposed. */
  proposals: readonly string[];
}

/** Takes a path in a skill, as it is typed. Has the focus when its dialog opens. */
export function PathInput({ onChange, proposals, ...rest }: PathInputProps) {
  const id = useId();
  return (
    <>
      <TextInput
        {...rest}
        onChange={(event) => onChange(event.currentTarget.value)}
        list={id}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        data-autofocus
      />
      <datalist id={id}>
        {proposals.map((proposal) => (
          <option key={proposal} value={proposal} />
        ))}
      </datalist>
    </>
  );
}
