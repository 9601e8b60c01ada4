import { useComputedColorScheme } from '@mantine/core';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Code } from '../code-figure.tsx';
import { type Drawing, drawDiagram } from './draw-diagram.ts';
import { pictureAddress } from './picture-address.ts';
import { PictureFigure } from './picture-figure.tsx';
import classes from './pictures.module.css';

/** A Mermaid diagram as a picture, drawn when it comes near the viewport. */
export function DiagramBlock(code: Code) {
  const { t } = useTranslation();
  const isDark = useComputedColorScheme('light') === 'dark';
  const [near, isNear] = useIsNear();
  const [drawing, setDrawing] = useState<Drawing>();
  const { text } = code;

  useEffect(() => {
    if (isNear) {
      const controller = new AbortController();
      void drawDiagram({ text, isDark }, controller.signal).then((drawn) => {
        if (!controller.signal.aborted) {
          setDrawing(drawn);
        }
      });
      return () => controller.abort();
    }
  }, [text, isDark, isNear]);

  const reason = {
    'too-long': t('answer.drawnTooLong'),
    'not-loaded': t('answer.drawnNot'),
    wrong: drawing?.reason,
    drawn: undefined,
  }[drawing?.state ?? 'drawn'];
  return (
    <div ref={near}>
      <PictureFigure
        {...code}
        picture={
          drawing?.svg && (
            <div className={classes.picture}>
              <img src={pictureAddress(drawing.svg)} alt={t('answer.diagram')} />
            </div>
          )
        }
        note={reason && t('answer.notDrawn', { reason })}
      />
    </div>
  );
}

/** Whether an element is, or was, within a screen of the viewport. */
function useIsNear(): [RefObject<HTMLDivElement | null>, boolean] {
  const element = useRef<HTMLDivElement>(null);
  const [isNear, setNear] = useState(() => !('IntersectionObserver' in window));
  useEffect(() => {
    if (isNear || !element.current) {
      return;
    }
    const observer = new IntersectionObserver(
      (entries) => setNear(entries.some(({ isIntersecting }) => isIntersecting)),
      { rootMargin: '100% 0px' },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [isNear]);
  return [element, isNear];
}
