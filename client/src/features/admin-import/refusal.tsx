import { Problem } from '@knowhow/shared/problem';
import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { focusHere } from '../../ui/focus/focus-here.ts';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import { Issues } from './issues.tsx';
import classes from './refusal.module.css';

/** Why an archive was rejected, with all issues. */
export function ArchiveError({ error, onAgain }: { error: unknown; onAgain: () => void }) {
  const { t } = useTranslation();
  const issues = error instanceof Problem ? (error.issues ?? []) : [];
  return (
    <div className={classes.refusal}>
      {issues.length > 0 ? (
        <div role="alert">
          <h3 className={classes.title}>{t('skillImport.refused', { count: issues.length })}</h3>
          <Issues issues={issues} />
        </div>
      ) : (
        <ErrorNote error={error} />
      )}
      <div className={classes.actions}>
        <Button ref={focusHere} onClick={onAgain}>
          {t('skillImport.chooseOther')}
        </Button>
      </div>
    </div>
  );
}
