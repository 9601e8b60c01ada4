import { maxQueryLength } from '@knowhow/shared/list';
import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import classes from './search-field.module.css';

interface SearchFieldProps {
  label: string;
  /** The current search. */
  value: string;
  /** Called debounced, with the trimmed text. */
  onChange: (value: string) => void;
}

export function SearchField({ label, value, onChange }: SearchFieldProps) {
  const [text, setText] = useState(value);
  const [known, setKnown] = useState(value);
  const search = useDebouncedCallback((typed: string) => {
    setKnown(typed.trim());
    onChange(typed.trim());
  }, 200);

  if (known !== value) {
    // Changed from outside, for example by a button that clears the filters.
    setKnown(value);
    setText(value);
  }
  return (
    <TextInput
      className={classes.field}
      type="search"
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={16} aria-hidden />}
      maxLength={maxQueryLength}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        search(event.currentTarget.value);
      }}
    />
  );
}
