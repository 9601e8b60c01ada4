import { TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from './day-range.module.css';

interface DayRangeProps {
  /** Days such as `2026-03-31`; empty for an open end. */
  from: string;
  to: string;
  onChange: (change: { from: string } | { to: string }) => void;
}

const first = '2000-01-01';

/** A date range. */
export function DayRange({ from, to, onChange }: DayRangeProps) {
  const { t } = useTranslation();
  return (
    <div className={classes.days}>
      <TextInput
        type="date"
        aria-label={t('dayRange.from')}
        title={t('dayRange.from')}
        value={from}
        min={first}
        max={to || undefined}
        onChange={({ currentTarget: { value } }) => onChange({ from: value })}
      />
      <span aria-hidden>–</span>
      <TextInput
        type="date"
        aria-label={t('dayRange.to')}
        title={t('dayRange.to')}
        value={to}
        min={from || first}
        onChange={({ currentTarget: { value } }) => onChange({ to: value })}
      />
    </div>
  );
}
