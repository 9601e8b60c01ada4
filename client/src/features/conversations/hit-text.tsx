import type { SearchHit } from '@knowhow/shared/chat/conversations';
import { MarkedText } from '../../ui/text/marked-text.tsx';
import classes from './hit-text.module.css';

/** The matching text of a search result, with the words highlighted. */
export function HitText({ hit }: { hit: SearchHit }) {
  return (
    <span className={classes.hit}>
      <MarkedText text={hit.text} ranges={hit.marks.map(({ from, to }) => [from, to - 1])} />
    </span>
  );
}
