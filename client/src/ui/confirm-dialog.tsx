import { Button, Modal, TextInput } from '@mantine/core';
import { type ReactNode, type SubmitEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './confirm-dialog.module.css';
import { ErrorNote } from './text/error-note.tsx';

interface ConfirmDialogProps {
  title: string;
  opened: boolean;
  onClose: () => void;
  onConfirm: () => void;
  /** What the button says: the deed, not "OK". */
  confirmLabel: string;
  /** What has to be typed first, as before everything that destroys. */
  typed?: string;
  error?: unknown;
  isBusy?: boolean;
  /** What will be lost, or what will happen. */
  children: ReactNode;
}

/** Asks before something that is not undone by a click. */
export function ConfirmDialog({ opened, onClose, title, ...rest }: ConfirmDialogProps) {
  const { t } = useTranslation();
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={title}
      closeButtonProps={{ 'aria-label': t('action.close') }}
      centered
    >
      <Question {...rest} onClose={onClose} />
    </Modal>
  );
}

type QuestionProps = Omit<ConfirmDialogProps, 'opened' | 'title'>;

function Question(props: QuestionProps) {
  const { onClose, onConfirm, confirmLabel, typed, error, isBusy, children } = props;
  const { t } = useTranslation();
  const [value, setValue] = useState('');

  function onSubmit(event: SubmitEvent) {
    event.preventDefault();
    // Events come through a portal: a form around it is not what is confirmed.
    event.stopPropagation();
    onConfirm();
  }

  return (
    <form onSubmit={onSubmit} className={classes.question}>
      <div className={classes.text}>{children}</div>
      {typed !== undefined && (
        <TextInput
          label={t('adminParts.typeToConfirm', { name: typed })}
          value={value}
          onChange={(event) => setValue(event.currentTarget.value)}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          data-autofocus
        />
      )}
      {error !== undefined && error !== null && <ErrorNote error={error} />}
      <div className={classes.actions}>
        <Button
          variant="default"
          onClick={onClose}
          data-autofocus={typed === undefined || undefined}
        >
          {t('action.cancel')}
        </Button>
        <Button
          type="submit"
          className={typed === undefined ? undefined : classes.destroy}
          loading={isBusy}
          disabled={typed !== undefined && value.trim() !== typed}
        >
          {confirmLabel}
        </Button>
      </div>
    </form>
  );
}
