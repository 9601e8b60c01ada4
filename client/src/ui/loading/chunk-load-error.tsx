import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { focusHere } from '../focus/focus-here.ts';
import { ErrorNote } from '../text/error-note.tsx';
import { NotLoaded } from './load-code.ts';
import classes from './lost-part.module.css';

interface LostPartProps {
  onRetry: () => void;
  /** Where it can be put away. */
  onClose?: () => void;
}

/** In the place of a part of the page that could not be loaded. */
export function ChunkLoadError({ onRetry, onClose }: LostPartProps) {
  const { t } = useTranslation();
  return (
    <div className={classes.part}>
      <ErrorNote error={new NotLoaded()} onRetry={onRetry}>
        <Button variant="default" size="compact-sm" onClick={() => location.reload()}>
          {t('broken.reload')}
        </Button>
        {onClose && (
          <Button variant="default" size="compact-sm" onClick={onClose}>
            {t('action.close')}
          </Button>
        )}
      </ErrorNote>
    </div>
  );
}

interface LostDialogProps {
  /** Left out where it is only there while it is open. */
  opened?: boolean;
  onClose: () => void;
  onRetry: () => void;
}

/** In the place of a dialog that could not be loaded, once somebody opens it: over the page, which stays. */
export function LostDialog({ opened = true, ...actions }: LostDialogProps) {
  const { t } = useTranslation();
  return (
    opened && (
      <div
        ref={focusHere}
        className={classes.dialog}
        role="dialog"
        aria-label={t('problem.notLoaded')}
        tabIndex={-1}
        onKeyDown={(event) => event.key === 'Escape' && actions.onClose()}
      >
        <ChunkLoadError {...actions} />
      </div>
    )
  );
}
