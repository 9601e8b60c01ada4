import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Expander } from '../../ui/layout/expander.tsx';
import { Markdown } from '../../ui/markdown/lazy-markdown.tsx';
import { PlainText } from '../../ui/text/plain-text.tsx';
import classes from './compaction-fold.module.css';

interface LeftOutFoldProps {
  /** The summary that replaces the messages above; undefined if they were dropped. */
  summary: string | undefined;
}

/** Marks where the messages that the model reads verbatim begin. */
export function CompactionFold({ summary }: LeftOutFoldProps) {
  const { t } = useTranslation();
  return (
    <div className={classes.fold}>
      {summary === undefined ? (
        <p className={classes.line}>{t('leftOut.without')}</p>
      ) : (
        <Expander summary={t('leftOut.summary')}>
          <div className={classes.summary}>
            <Suspense fallback={<PlainText text={summary} />}>
              <Markdown text={summary} streaming={false} />
            </Suspense>
          </div>
        </Expander>
      )}
    </div>
  );
}
