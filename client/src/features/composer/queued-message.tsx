import { Button } from '@mantine/core';
import { IconClock, IconPencil, IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../ui/icon-button.tsx';
import classes from './queued-message.module.css';
import type { Draft } from './use-draft.ts';

interface WaitingMessageProps {
  message: Draft;
  /** Whether an answer is being written, after which it is sent automatically. */
  busy: boolean;
  onEdit: () => void;
  onRemove: () => void;
  onSend: () => void;
}

/** The queued message. */
export function QueuedMessage(props: WaitingMessageProps) {
  const { message, busy, onEdit, onRemove, onSend } = props;
  const { t } = useTranslation();
  const { text, skills, attachments = [] } = message;
  const more = [...skills, ...attachments.map(({ name }) => name)].join(', ');
  return (
    <section className={classes.waiting} aria-label={t('waiting.label')}>
      <IconClock size={16} aria-hidden />
      <div className={classes.said}>
        <p className={classes.text}>{text.slice(0, 400)}</p>
        <p className={classes.note}>
          {[t(busy ? 'waiting.next' : 'waiting.held'), more].filter(Boolean).join(' · ')}
        </p>
      </div>
      {!busy && (
        <Button size="compact-sm" variant="default" onClick={onSend}>
          {t('waiting.sendNow')}
        </Button>
      )}
      <IconButton label={t('waiting.edit')} icon={<IconPencil size={16} />} onClick={onEdit} />
      <IconButton label={t('waiting.remove')} icon={<IconX size={16} />} onClick={onRemove} />
    </section>
  );
}
