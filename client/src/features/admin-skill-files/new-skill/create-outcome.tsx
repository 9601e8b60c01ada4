import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ErrorNote } from '../../../ui/text/error-note.tsx';
import classes from './new-skill-form.module.css';
import type { PartiallyCreated, useCreate } from './use-create.ts';

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

interface BegunNoteProps {
  begun: PartiallyCreated;
  /** Why the next file could not be uploaded. */
  error: unknown;
  isBusy: boolean;
  onGoOn: () => void;
  /** Continues without the remaining files. */
  onLeave: () => void;
}

/** Reports that the skill was created without all of its files, and how to continue. */
function PartialCreationNote({ begun, error, isBusy, onGoOn, onLeave }: BegunNoteProps) {
  const { t } = useTranslation();
  const { skill, left } = begun;
  const [next] = left;
  if (!next) {
    return null;
  }
  return (
    <div className={classes.begun}>
      <p>{t('newSkill.begun', { name: skill.name, count: left.length, path: next.path })}</p>
      {error ? <ErrorNote error={error} /> : null}
      <div className={classes.actions}>
        <Button loading={isBusy} onClick={onGoOn}>
          {t('newSkill.goOn')}
        </Button>
        <Button variant="default" disabled={isBusy} onClick={onLeave}>
          {t('newSkill.goWithout')}
        </Button>
      </div>
    </div>
  );
}
