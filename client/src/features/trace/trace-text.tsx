import { Expander } from '../../ui/layout/expander.tsx';
import { PlainText } from '../../ui/text/plain-text.tsx';
import classes from './trace-rounds.module.css';

interface TraceTextProps {
  text: string;
  /** The summary row of a long text; its first line if omitted. */
  summary?: string;
}

const shortLength = 320;
const shortLines = 6;
const firstLength = 90;

/** A verbatim text; a long one is collapsed behind its first line. */
export function TraceText({ text, summary }: TraceTextProps) {
  const isShort = text.length <= shortLength && text.split('\n').length <= shortLines;
  const words = (
    <pre className={classes.text}>
      <PlainText text={text} />
    </pre>
  );
  return isShort ? words : <Expander summary={summary ?? getFirstLine(text)}>{words}</Expander>;
}

function getFirstLine(text: string): string {
  const [line = ''] = text.trim().split('\n', 1);
  return line.length > firstLength ? `${line.slice(0, firstLength)}…` : `${line} …`;
}
