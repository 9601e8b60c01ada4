import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ErrorNote } from '../../../ui/text/error-note.tsx';
import classes from './new-skill-form.module.css';
import { PartialCreationNote } from './partial-creation-note.tsx';
import type { useCreate } from './use-create.ts';

interface CreateOutcomeProps {
  creation: ReturnType<typeof useCreate>;
  /** Whether the error is shown at a field. */
  isAboutField: boolean;
}

/** The create button, its error, and how to continue after a partial creation. */
export function CreateOutcome({ creation, isAboutField }: CreateOutcomeProps) {
  const { t } = useTranslation();
  const { creating, goingOn, begun } = creation;
  if (begun) {
    return (
      !creating.isPending && (
        <PartialCreationNote
          begun={begun}
          error={goingOn.error ?? creating.error}
          isBusy={goingOn.isPending}
          onGoOn={() => goingOn.mutate(begun)}
          onLeave={() => goingOn.mutate({ ...begun, left: [] })}
        />
      )
    );
  }
  return (
    <>
      {creating.error && !isAboutField && <ErrorNote error={creating.error} />}
      <div className={classes.actions}>
        <Button type="submit" loading={creating.isPending}>
          {t('newSkill.create')}
        </Button>
        <span className={`${classes.quiet} ${classes.keys}`}>{t('newSkill.createKeys')}</span>
      </div>
    </>
  );
}
