import { Button } from '@mantine/core';
import { type ReactNode, use, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ScrollingGroup } from '../layout/scrolling-group.tsx';
import { CopyButton } from '../text/copy-button.tsx';
import classes from './code-figure.module.css';
import { OpenBlockContext } from './markdown-text-context.ts';

export interface Code {
  language: string;
  text: string;
  /** The highlighted code. */
  children: ReactNode;
}

interface CodeFigureProps extends Code {
  /** Buttons above it. */
  tools?: ReactNode;
  /** Note below it: why it is not rendered otherwise. */
  note?: string | undefined;
  /** Replaces the code. */
  picture?: ReactNode;
}

/** Longer code is collapsed. */
const mostLines = 40;

/** Code with its language and a copy button. A trailing line break is removed, so that pasting does not run it. */
export function CodeFigure({ language, text, children, tools, note, picture }: CodeFigureProps) {
  const { t } = useTranslation();
  const id = useId();
  // Code that was seen while streaming does not collapse when it is complete.
  const wasOpen = use(OpenBlockContext);
  const [isFolded, setFolded] = useState(!wasOpen);
  const lines = text.split('\n').length;
  const isLong = lines > mostLines && !wasOpen && !picture;
  return (
    <figure className={classes.code} data-copied={picture ? text : undefined}>
      <figcaption>
        <span>{language}</span>
        <span className={classes.tools}>
          {tools}
          <CopyButton textOf={() => text} size={26} />
        </span>
      </figcaption>
      {picture ?? (
        <ScrollingGroup className={classes.codeText} label={t('answer.code')}>
          <pre id={id} data-folded={(isLong && isFolded) || undefined}>
            {children}
          </pre>
        </ScrollingGroup>
      )}
      {note && <p className={classes.note}>{note}</p>}
      {isLong && (
        <Button
          className={classes.unfold}
          variant="subtle"
          color="gray"
          size="compact-sm"
          aria-expanded={!isFolded}
          aria-controls={id}
          onClick={() => setFolded(!isFolded)}
        >
          {isFolded ? t('answer.allLines', { count: lines }) : t('answer.fewerLines')}
        </Button>
      )}
    </figure>
  );
}
