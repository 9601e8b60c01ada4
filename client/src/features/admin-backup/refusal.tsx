import { Problem } from '@knowhow/shared/problem';
import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { focusHere } from '../../ui/focus/focus-here.ts';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import { IssueList } from './issue-list.tsx';
import classes from './refusal.module.css';

/** Why a file was rejected. */
export function RestoreError({ error, onAgain }: { error: unknown; onAgain: () => void }) {
  const { t } = useTranslation();
  return (
    <div className={classes.refusal}>
      <Failure error={error} />
      <Button ref={focusHere} variant="default" onClick={onAgain}>
        {t('adminBackup.chooseOther')}
      </Button>
    </div>
  );
}

/** An error with all issues that the server found. */
export function Failure({ error }: { error: unknown }) {
  const issues = error instanceof Problem ? (error.issues ?? []) : [];
  // A single issue is already in the note, except for its location.
  const isAlreadyShown = issues.length === 1 && issues[0]?.path === '';
  return (
    <div className={classes.failure}>
      <ErrorNote error={error} />
      {issues.length > 0 && !isAlreadyShown && <IssueList issues={issues} />}
    </div>
  );
}
