import { Fragment } from 'react';
import classes from './marked-text.module.css';

/** First and last index of a range in a text, both inclusive. */
export type Range = readonly [first: number, last: number];

/** A text with highlighted ranges, such as search matches. */
export function MarkedText({ text, ranges }: { text: string; ranges: readonly Range[] }) {
  const starts = [0, ...ranges.map(([, last]) => last + 1)];
  return starts.map((start, index) => {
    const range = ranges[index];
    return (
      <Fragment key={start}>
        {text.slice(start, range?.[0])}
        {range && <mark className={classes.mark}>{text.slice(range[0], range[1] + 1)}</mark>}
      </Fragment>
    );
  });
}
