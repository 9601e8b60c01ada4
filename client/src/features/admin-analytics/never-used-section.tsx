import type { SkillReport } from '@knowhow/shared/config/analytics';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Section } from '../../ui/layout/section.tsx';
import classes from './never-used-section.module.css';
import { useReportFormat } from './use-report-format.ts';

const first = 48;
const more = 480;

/** Skills that are available to users but were not used in any answer. */
export function NeverUsedSection({ neverUsed }: Pick<SkillReport, 'neverUsed'>) {
  const { t } = useTranslation();
  const { number } = useReportFormat();
  const [most, setMost] = useState(first);
  const { names, total } = neverUsed;
  const shown = names.slice(0, most);
  return (
    <Section
      title={t('analytics.neverUsed.title', { total: number(total) })}
      text={t(total === 0 ? 'analytics.neverUsed.none' : 'analytics.neverUsed.about')}
    >
      <ul className={classes.names}>
        {shown.map((name) => (
          <li key={name}>
            <Link to={`/admin/skills/${encodeURIComponent(name)}`}>{name}</Link>
          </li>
        ))}
      </ul>
      {shown.length < names.length && (
        <Button variant="default" onClick={() => setMost(most + more)}>
          {t('action.showMore')}
        </Button>
      )}
      {shown.length === names.length && names.length < total && (
        <p>{t('analytics.neverUsed.cut', { shown: number(names.length) })}</p>
      )}
    </Section>
  );
}
