import { IconPaperclip } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useStableCallbacks } from '../../../ui/use-stable-callbacks.ts';
import classes from './drop-zone.module.css';

/** Accepts files dropped anywhere on the page, and shows an overlay while dragging. */
export function DropZone(props: { onDrop: (files: File[]) => void }) {
  const { t } = useTranslation();
  const { onDrop } = useStableCallbacks(props);
  const [isOver, setIsOver] = useState(false);
  useEffect(() => {
    // Each entered or left element fires its own events.
    let inside = 0;
    const count = (event: DragEvent, by: number) => {
      if (acceptsDrop(event)) {
        inside = Math.max(0, inside + by);
        setIsOver(inside > 0);
      }
    };
    const listeners = {
      dragenter: (event: DragEvent) => count(event, 1),
      dragleave: (event: DragEvent) => count(event, -1),
      dragover: (event: DragEvent) => {
        if (acceptsDrop(event)) {
          event.preventDefault();
        }
      },
      drop: (event: DragEvent) => {
        if (acceptsDrop(event)) {
          event.preventDefault();
          inside = 0;
          setIsOver(false);
          onDrop([...(event.dataTransfer?.files ?? [])]);
        }
      },
    };
    const entries = Object.entries(listeners) as [keyof typeof listeners, EventListener][];
    for (const [name, listener] of entries) {
      window.addEventListener(name, listener);
    }
    return () => {
      for (const [name, listener] of entries) {
        window.removeEventListener(name, listener);
      }
    };
  }, [onDrop]);
  return isOver ? (
    <div className={classes.zone}>
      <p>
        <IconPaperclip size={20} aria-hidden />
        {t('attachments.drop')}
      </p>
    </div>
  ) : null;
}

/** A page behind a dialog accepts nothing. */
function acceptsDrop({ dataTransfer }: DragEvent): boolean {
  return (
    dataTransfer?.types.includes('Files') === true && !document.querySelector('[role="dialog"]')
  );
}
