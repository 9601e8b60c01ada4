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
  /** The text as it is shown, with its colours. */
  children: ReactNode;
}

interface CodeFigureProps extends Code {
  /** Buttons above it. */
  tools?: ReactNode;
  /** Stands below it: why it is not shown otherwise. */
  note?: string | undefined;
  /** Stands in place of the code. */
  picture?: ReactNode;
}

/** More are folded to fewer. */
const mostLines = 40;

/** Code with its language and a copy button above it. A copied line must not run when it is pasted. */
export function CodeFigure({ language, text, children, tools, note, picture }: CodeFigureProps) {
  const { t } = useTranslation();
  const id = useId();
  // What somebody has seen being written does not shrink when it is done.
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
