import type { RestorePlan } from '@knowhow/shared/config/backup';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../ui/text/use-format.ts';
import classes from './plan-summary.module.css';

/** The origin of a backup, and the number of files it changes. */
export function PlanSummary({ plan }: { plan: RestorePlan }) {
  const { t } = useTranslation();
  const { number, date } = useFormat();
  const { format, createdAt, app } = plan;
  const origin = [
    t(formats[format]),
    ...(createdAt === undefined ? [] : [t('adminBackup.madeAt', { date: date(createdAt) })]),
    ...(app === undefined ? [] : [t('adminBackup.madeBy', { version: app })]),
  ];
  return (
    <>
      <p className={classes.origin}>{origin.join(' · ')}</p>
      <dl className={classes.counts}>
        {counts.map(({ count, label }) => (
          <div key={count} data-some={plan[count] > 0}>
            <dt>{t(label)}</dt>
            <dd>{number(plan[count])}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

const formats = {
  knowhow: 'adminBackup.formatKnowhow',
  ihub: 'adminBackup.formatIhub',
} as const satisfies Record<RestorePlan['format'], string>;

const counts = [
  { count: 'added', label: 'adminBackup.added' },
  { count: 'changed', label: 'adminBackup.changed' },
  { count: 'removed', label: 'adminBackup.removed' },
  { count: 'same', label: 'adminBackup.same' },
] as const;
