import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { focusHere } from '../focus/focus-here.ts';
import { ErrorNote } from '../text/error-note.tsx';
import { NotLoaded } from './load-chunk.ts';
import classes from './lost-part.module.css';

interface LostPartProps {
  onRetry: () => void;
  /** Set if it can be dismissed. */
  onClose?: () => void;
}

/** Replaces a part of the page whose chunk could not be loaded. */
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
  /** Omitted if it is only mounted while open. */
  opened?: boolean;
  onClose: () => void;
  onRetry: () => void;
}

/** Replaces a dialog whose chunk could not be loaded; the page below stays. */
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
