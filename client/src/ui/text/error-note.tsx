import { Button } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './error-note.module.css';
import { useErrorText } from './use-error-text.ts';

interface ErrorNoteProps {
  error: unknown;
  /** Retries the failed action. */
  onRetry?: () => unknown;
  /** Further actions: buttons. */
  children?: ReactNode;
}

/** An error in place, with the next step. */
export function ErrorNote({ error, onRetry, children }: ErrorNoteProps) {
  const { t } = useTranslation();
  const { title, detail, original } = useErrorText()(error);
  return (
    <div className={classes.note} role="alert">
      <IconAlertCircle className={classes.icon} size={18} aria-hidden />
      <div className={classes.text}>
        <p className={classes.title}>{title}</p>
        {detail && <p className={classes.detail}>{detail}</p>}
        {original && (
          <details className={classes.original}>
            <summary>{t('problem.original')}</summary>
            <p lang="en">{original}</p>
          </details>
        )}
        {(onRetry || children) && (
          <div className={classes.actions}>
            {onRetry && (
              <Button variant="default" size="compact-sm" onClick={() => onRetry()}>
                {t('action.tryAgain')}
              </Button>
            )}
            {children}
          </div>
        )}
      </div>
    </div>
  );
}
