import { UnstyledButton } from '@mantine/core';
import { useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './two-lines.module.css';

/** A text clamped to two lines, expandable. */
export function TwoLines({ text }: { text: string }) {
  const { t } = useTranslation();
  const paragraph = useRef<HTMLParagraphElement>(null);
  const [isCut, setCut] = useState(false);
  const [isOpen, setOpen] = useState(false);
  useLayoutEffect(() => {
    const element = paragraph.current;
    if (!element) {
      return;
    }
    const observer = new ResizeObserver(() => {
      setCut((wasCut) => wasCut || element.scrollHeight > element.clientHeight + 1);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return (
    <div>
      <p ref={paragraph} className={classes.text} data-open={isOpen || undefined}>
        {text}
      </p>
      {isCut && (
        <UnstyledButton
          className={classes.more}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {t(isOpen ? 'question.less' : 'question.more')}
        </UnstyledButton>
      )}
    </div>
  );
}
