import { Button, Progress } from '@mantine/core';
import { IconPlayerStop } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { focusHere } from '../../../ui/focus/focus-here.ts';
import { useFormat } from '../../../ui/text/use-format.ts';
import classes from './run-form.module.css';
import type { RunningTests } from './use-run.ts';

/** Progress of a run, with a stop button. */
export function RunProgress({ running, onStop }: { running: RunningTests; onStop: () => void }) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const { results, total } = running;
  const words = t('triggers.progress', { done: number(results.length), total: number(total) });
  return (
    <div className={classes.progress}>
      <Button
        ref={focusHere}
        variant="default"
        leftSection={<IconPlayerStop size={16} aria-hidden />}
        onClick={onStop}
      >
        {t('triggers.stop')}
      </Button>
      <div className={classes.bar}>
        <p role="status">{words}</p>
        <Progress aria-label={words} value={(100 * results.length) / total} animated />
      </div>
    </div>
  );
}
