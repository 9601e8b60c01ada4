import type { SkillReport } from '@knowhow/shared/skills/skill-archives';
import { Skeleton } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { DiagnosticsList } from '../../ui/diagnostics-list.tsx';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import classes from './skill-review.module.css';

interface SkillReviewProps {
  report: SkillReport | undefined;
  error: unknown;
  onShowLine: (line: number) => void;
}

/** Live diagnostics of a `SKILL.md`, and its token cost. */
export function SkillReview({ report, error, onShowLine }: SkillReviewProps) {
  const { t } = useTranslation();
  return (
    <section className={classes.review} aria-labelledby="skill-review">
      <div className={classes.head}>
        <h2 id="skill-review">{t('skillFiles.review')}</h2>
        {report && (
          <p>
            {t('skillFiles.entryTokens', { count: report.tokens.entry })} ·{' '}
            {t('skillFiles.bodyTokens', { count: report.tokens.body })}
          </p>
        )}
      </div>
      {error ? (
        <ErrorNote error={error} />
      ) : (
        <Diagnostics report={report} onShowLine={onShowLine} />
      )}
    </section>
  );
}

function Diagnostics({ report, onShowLine }: Omit<SkillReviewProps, 'error'>) {
  const { t } = useTranslation();
  if (!report) {
    return <Skeleton height={44} radius={8} />;
  }
  if (report.diagnostics.length === 0) {
    return (
      <p className={classes.fine}>
        <IconCircleCheck size={18} aria-hidden /> {t('skillFiles.noDiagnostics')}
      </p>
    );
  }
  return <DiagnosticsList diagnostics={report.diagnostics} onShowLine={onShowLine} />;
}
