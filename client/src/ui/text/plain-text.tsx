import { useMemo } from 'react';
import classes from './plain-text.module.css';

/** Raw text. A long one is split, and only chunks in view are laid out. */
export function PlainText({ text }: { text: string }) {
  const pieces = useMemo(() => splitIntoChunks(text), [text]);
  if (pieces.length === 1) {
    return <span className={classes.text}>{text}</span>;
  }
  return pieces.map((piece, position) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a piece is what is at its position
    <span key={position} className={classes.piece}>
      {piece}
    </span>
  ));
}

/** At most 5,000 characters each, split at the end of a line if one is near. */
function splitIntoChunks(text: string): string[] {
  return text.match(/[\s\S]{1,5000}(?:\n|$)|[\s\S]{1,5000}/g) ?? [text];
}
