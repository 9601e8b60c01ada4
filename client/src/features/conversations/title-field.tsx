import { type KeyboardEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './conversation-row.module.css';

interface TitleFieldProps {
  title: string;
  /** Label; the title of a conversation if omitted. */
  label?: string;
  /** Called with the new title, or with the unchanged one. */
  onDone: (title: string) => void;
}

/** Replaces a title while it is edited. */
export function TitleField({ title, label, onDone }: TitleFieldProps) {
  const { t } = useTranslation();
  const [value, setValue] = useState(title);

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Enter') {
      // Otherwise the key would also activate the next focused element.
      event.preventDefault();
      onDone(value.trim());
    }
    if (event.key === 'Escape') {
      event.stopPropagation();
      onDone(title);
    }
  }

  return (
    <input
      className={classes.field}
      aria-label={label ?? t('rows.newTitle')}
      // biome-ignore lint/a11y/noAutofocus: it takes the place of what was just chosen
      autoFocus
      maxLength={200}
      value={value}
      onFocus={(event) => event.currentTarget.select()}
      onChange={(event) => setValue(event.currentTarget.value)}
      onKeyDown={onKeyDown}
      onBlur={() => onDone(value.trim())}
    />
  );
}
