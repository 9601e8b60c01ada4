import { useTranslation } from 'react-i18next';
import { ScrollingGroup } from '../layout/scrolling-group.tsx';
import { changedLines } from './changed-lines.ts';
import classes from './two-versions.module.css';

/** Maximum number of lines per version: each is rendered. */
const mostLines = 500;
const longestLine = 2_000;

interface TwoVersionsProps {
  mine: string;
  /** Undefined if the file was deleted. */
  theirs: string | undefined;
  /** Headings; by default the server's version and the one to save. */
  titles?: { mine: string; theirs: string };
}

/** Two versions of a text, side by side. */
export function TwoVersions({ mine, theirs = '', titles }: TwoVersionsProps) {
  const { t } = useTranslation();
  const { firstLine, before, one, other, after } = changedLines(theirs, mine);
  const shared = { firstLine, before, after };
  return (
    <div className={classes.versions}>
      <Version {...shared} title={titles?.theirs ?? t('adminParts.theirs')} lines={one} />
      <Version {...shared} title={titles?.mine ?? t('adminParts.mine')} lines={other} />
    </div>
  );
}

interface VersionProps {
  title: string;
  firstLine: number;
  before: string[];
  lines: string[];
  after: string[];
}

function Version({ title, firstLine, before, lines, after }: VersionProps) {
  const { t } = useTranslation();
  const all = [...before, ...lines, ...after];
  const left = all.length - mostLines;
  return (
    <section className={classes.version}>
      <h3>{title}</h3>
      <ScrollingGroup className={classes.scroller} label={title}>
        <ol className={classes.lines} start={firstLine}>
          {all.slice(0, mostLines).map((whole, index) => {
            const line = whole.length > longestLine ? `${whole.slice(0, longestLine)}…` : whole;
            const isOwn = index >= before.length && index < before.length + lines.length;
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: a line is what is at its position
              <li key={index} data-own={isOwn || undefined}>
                {isOwn ? <mark>{line || ' '}</mark> : line || ' '}
              </li>
            );
          })}
        </ol>
        {left > 0 && <p className={classes.none}>{t('adminParts.moreLines', { count: left })}</p>}
        {lines.length === 0 && <p className={classes.none}>{t('adminParts.noneOfTheseLines')}</p>}
      </ScrollingGroup>
    </section>
  );
}
