import { TextInput } from '@mantine/core';
import { useId } from 'react';

interface PathInputProps {
  label: string;
  description: string;
  error?: string | undefined;
  value: string;
  onChange: (value: string) => void;
  /** Suggested path prefixes. */
  proposals: readonly string[];
}

/** An input for a path in a skill, focused when its dialog opens. */
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
