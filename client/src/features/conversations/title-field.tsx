import { type KeyboardEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { addConversationTexts } from '../../i18n/add-conversation-texts.ts';
import classes from './conversation-row.module.css';

interface TitleFieldProps {
  title: string;
  /** What is to be written; the title of a conversation when left out. */
  label?: string;
  /** Called with the new title, or with the old one when it was left as it was. */
  onDone: (title: string) => void;
}

/** Takes the place of a title while it is changed. */
export function TitleField({ title, label, onDone }: TitleFieldProps) {
  const { t, i18n } = useTranslation();
  useState(() => addConversationTexts(i18n));
  const [value, setValue] = useState(title);

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Enter') {
      // What gets the focus next is not pressed by it.
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
