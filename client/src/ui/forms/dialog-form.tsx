import { Button } from '@mantine/core';
import type { ReactNode, SubmitEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNote } from '../text/error-note.tsx';
import classes from './dialog-form.module.css';

interface DialogFormProps {
  /** Explanation above the fields. */
  about?: ReactNode;
  /** An error that belongs to no field. */
  error: unknown;
  isBusy: boolean;
  /** Whether a required choice is missing. */
  isIncomplete?: boolean;
  /** The button's label: the action. */
  submitLabel: string;
  onSubmit: () => void;
  onCancel: () => void;
  children: ReactNode;
}

/** A form in a dialog, with buttons to submit and cancel. */
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
