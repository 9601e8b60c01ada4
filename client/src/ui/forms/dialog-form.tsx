import { Button } from '@mantine/core';
import type { ReactNode, SubmitEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNote } from '../text/error-note.tsx';
import classes from './dialog-form.module.css';

interface DialogFormProps {
  /** What it is for, above all. */
  about?: string;
  /** Why it was not done, where no field says it. */
  error: unknown;
  isBusy: boolean;
  /** Whether something has to be chosen yet. */
  isIncomplete?: boolean;
  /** What the button says: the deed. */
  submitLabel: string;
  onSubmit: () => void;
  onCancel: () => void;
  children: ReactNode;
}

/** Fields in a dialog, with the buttons that send them or leave. */
export function DialogForm({ about, error, children, onSubmit, ...rest }: DialogFormProps) {
  const { isBusy, isIncomplete, submitLabel, onCancel } = rest;
  const { t } = useTranslation();

  function submit(event: SubmitEvent) {
    event.preventDefault();
    onSubmit();
  }

  return (
    <form className={classes.form} onSubmit={submit}>
      {about !== undefined && <p className={classes.about}>{about}</p>}
      {error !== undefined && error !== null && <ErrorNote error={error} />}
      {children}
      <div className={classes.actions}>
        <Button variant="default" onClick={onCancel}>
          {t('action.cancel')}
        </Button>
        <Button type="submit" loading={isBusy} disabled={isIncomplete}>
          {submitLabel}
        </Button>
      </div>
    </form>
  );
}
