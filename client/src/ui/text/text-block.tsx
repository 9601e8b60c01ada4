import { useMemo } from 'react';
import { ScrollingGroup } from '../layout/scrolling-group.tsx';
import { CopyButton } from './copy-button.tsx';
import { PlainText } from './plain-text.tsx';
import classes from './text-block.module.css';
import { revealHiddenCharacters } from './visible-text.ts';

interface TextBlockProps {
  label: string;
  text: string;
}

/** A machine-generated text in a scrolling box, with a copy button. JSON is indented. */
export function TextBlock({ label, text }: TextBlockProps) {
  const shown = useMemo(() => formatJson(text), [text]);
  return (
    <figure className={classes.block}>
      <figcaption>
        <span>{label}</span>
        <CopyButton textOf={() => shown ?? text} size={26} />
      </figcaption>
      <ScrollingGroup className={classes.text} label={label}>
        {shown === undefined ? (
          <PlainText text={revealHiddenCharacters(text)} />
        ) : (
          <pre>
            {shown.length > mostMarked ? shown : highlightJson(revealHiddenCharacters(shown))}
          </pre>
        )}
      </ScrollingGroup>
    </figure>
  );
}

/** Each token is an element: more would freeze the page. */
const mostMarked = 20_000;

/** Indents a JSON object or list; undefined for any other text. */
function formatJson(text: string): string | undefined {
  if (!/^\s*[[{]/.test(text)) {
    return undefined;
  }
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return undefined;
  }
}

const tokens = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\b\d[\d.eE+-]*/g;

function highlightJson(json: string) {
  const parts = [];
  let end = 0;
  for (const match of json.matchAll(tokens)) {
    const [token, text, colon] = match;
    const kind = text === undefined ? 'number' : colon === undefined ? 'string' : 'key';
    parts.push(json.slice(end, match.index));
    parts.push(
      <span key={match.index} data-kind={kind}>
        {token}
      </span>,
    );
    end = match.index + token.length;
  }
  return [...parts, json.slice(end)];
}
