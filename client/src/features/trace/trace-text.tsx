import { Expander } from '../../ui/layout/expander.tsx';
import { PlainText } from '../../ui/text/plain-text.tsx';
import classes from './trace-rounds.module.css';

interface TraceTextProps {
  text: string;
  /** The row of a long text; its first line when left out. */
  summary?: string;
}

const shortLength = 320;
const shortLines = 6;
const firstLength = 90;

/** A text word for word: a short one as it is, a long one behind its first line. */
export function TraceText({ text, summary }: TraceTextProps) {
  const isShort = text.length <= shortLength && text.split('\n').length <= shortLines;
  const words = (
    <pre className={classes.text}>
      <PlainText text={text} />
    </pre>
  );
  return isShort ? words : <Expander summary={summary ?? beginningOf(text)}>{words}</Expander>;
}

function beginningOf(text: string): string {
  const [line = ''] = text.trim().split('\n', 1);
  return line.length > firstLength ? `${line.slice(0, firstLength)}…` : `${line} …`;
}
