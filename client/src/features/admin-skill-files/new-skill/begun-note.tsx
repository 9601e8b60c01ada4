import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ErrorNote } from '../../../ui/text/error-note.tsx';
import classes from './new-skill-form.module.css';
import type { Begun } from './use-create.ts';

interface BegunNoteProps {
  begun: Begun;
  /** Why the next file could not be put in. */
  error: unknown;
  isBusy: boolean;
  onGoOn: () => void;
  /** Called to do without the files that are left. */
  onLeave: () => void;
}

/** Says that the skill exists, though not with all its files, and how to go on. */
export function BegunNote({ begun, error, isBusy, onGoOn, onLeave }: BegunNoteProps) {
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
