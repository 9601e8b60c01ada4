import { maxMessageLength } from '@knowhow/shared/chat/chat';
import { useTranslation } from 'react-i18next';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import classes from './composer.module.css';
import type { SendWarning } from './use-send.ts';

interface ComposerNoteProps {
  /** Length of the text, in characters. */
  length: number;
  doubt: SendWarning | undefined;
}

/** Why a message cannot be sent, and what to do. */
export function ComposerNote({ length, doubt }: ComposerNoteProps) {
  const { t } = useTranslation();
  if (length > maxMessageLength) {
    return (
      <p className={classes.note} role="alert">
        {t('composer.tooLong', { count: length, most: maxMessageLength })}
      </p>
    );
  }
  if (!doubt) {
    return null;
  }
  return 'unknown' in doubt ? (
    <p className={classes.note} role="alert">
      {t('composer.unknownSkill', { name: doubt.unknown })}
    </p>
  ) : (
    <ErrorNote error={doubt.error} />
  );
}
