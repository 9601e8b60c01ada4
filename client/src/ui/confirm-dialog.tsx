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
  /** The button's label: the action, not "OK". */
  confirmLabel: string;
  /** The text to type before a destructive action. */
  typed?: string;
  error?: unknown;
  isBusy?: boolean;
  /** Whether the fields among the children are complete; `true` by default. */
  isReady?: boolean;
  /** What will be lost, or what will happen. */
  children: ReactNode;
}

/** Asks for confirmation of an action that cannot easily be undone. */
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
  const { onClose, onConfirm, confirmLabel, typed, error, isBusy, isReady = true } = props;
  const { t } = useTranslation();
  const [value, setValue] = useState('');
  const isConfirmed = typed === undefined || value.trim() === typed;

  function onSubmit(event: SubmitEvent) {
    event.preventDefault();
    // React events bubble through portals: do not submit a surrounding form.
    event.stopPropagation();
    onConfirm();
  }

  return (
    <form onSubmit={onSubmit} className={classes.question}>
      <div className={classes.text}>{props.children}</div>
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
          disabled={!isReady || !isConfirmed}
        >
          {confirmLabel}
        </Button>
      </div>
    </form>
  );
}
