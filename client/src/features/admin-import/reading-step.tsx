import type { GitProgress } from '@knowhow/shared/skills/git-commit';
import { Button, Progress } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { focusHere } from '../../ui/focus/focus-here.ts';
import classes from './transfer.module.css';

interface ReadingStepProps {
  progress: GitProgress;
  onCancel: () => void;
}

/** The steps of reading a git repository. */
export function ReadingStep({ progress: { phase, files }, onCancel }: ReadingStepProps) {
  const { t } = useTranslation();
  const counted = files === undefined ? undefined : countedPhases[phase];
  const words = counted ? t(counted, { count: files }) : t(phases[phase]);
  return (
    <div className={classes.transfer}>
      <p ref={focusHere} tabIndex={-1} role="status">
        {words}
      </p>
      <Progress aria-label={words} value={shares[phase]} animated transitionDuration={120} />
      <div className={classes.cancel}>
        <Button variant="default" onClick={onCancel}>
          {t('action.cancel')}
        </Button>
      </div>
    </div>
  );
}

const phases = {
  waiting: 'skillImport.phase.waiting',
  connecting: 'skillImport.phase.connecting',
  listing: 'skillImport.phase.listing',
  fetching: 'skillImport.phase.fetching',
  reading: 'skillImport.phase.fetching',
  checking: 'skillImport.checking',
} as const;

const countedPhases: Partial<
  Record<
    GitProgress['phase'],
    'skillImport.phase.fetchingFiles' | 'skillImport.phase.checkingSkills'
  >
> = {
  fetching: 'skillImport.phase.fetchingFiles',
  reading: 'skillImport.phase.fetchingFiles',
  checking: 'skillImport.phase.checkingSkills',
};

/** Percent of the bar. */
const shares = { waiting: 2, connecting: 10, listing: 30, fetching: 50, reading: 70, checking: 85 };
