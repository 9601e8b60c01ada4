import { BarChart, type BarChartProps } from '@mantine/charts';
import '@mantine/core/styles/ColorSwatch.layer.css';
import '@mantine/charts/styles.layer.css';
import type { SkillReport, SkillUse } from '@knowhow/shared/config/analytics';
import { useTranslation } from 'react-i18next';
import { useReportFormat } from '../../ui/text/use-report-format.ts';
import classes from './report.module.css';

/**
 * Both charts are visual only: a table with the same figures is next to each. Series with a skill are filled,
 * all others are outlined, so that they differ in any colours.
 */
const shared = {
  barChartProps: { accessibilityLayer: false },
  gridAxis: 'none',
  tickLine: 'none',
  withLegend: true,
  classNames: { legendItemColor: classes.legendColor ?? '' },
  legendProps: { verticalAlign: 'bottom', height: 36 },
  gridColor: 'var(--line)',
  textColor: 'var(--ink-soft)',
} as const satisfies Partial<BarChartProps>;

/** Conversations by week. */
export function WeekChart({ weeks }: { weeks: SkillReport['weeks'] }) {
  const { t } = useTranslation();
  const { number, shortDay } = useReportFormat();
  const data = weeks.map(({ week, conversations, conversationsWithSkill }) => ({
    week: shortDay(week),
    with: conversationsWithSkill,
    without: conversations - conversationsWithSkill,
  }));
  return (
    <BarChart
      {...shared}
      h={260}
      data={data}
      dataKey="week"
      type="stacked"
      series={[
        { name: 'with', label: t('analytics.withSkill'), color: 'var(--skill)' },
        { name: 'without', label: t('analytics.withoutSkill'), color: 'var(--soft)' },
      ]}
      barProps={({ name }) =>
        name === 'without' ? { stroke: 'var(--line-strong)', strokeOpacity: 1 } : {}
      }
      maxBarWidth={36}
      yAxisProps={{ allowDecimals: false, width: 44 }}
      xAxisProps={{ minTickGap: 12 }}
      valueFormatter={number}
    />
  );
}

const rowHeight = 30;
const longestName = 22;

/** The most used skills. */
export function TopSkillsChart({ skills }: { skills: SkillUse[] }) {
  const { t } = useTranslation();
  const { number } = useReportFormat();
  return (
    <BarChart
      {...shared}
      withLegend={false}
      h={skills.length * rowHeight + 40}
      data={skills.map(({ name, answers }) => ({ name, answers }))}
      dataKey="name"
      orientation="vertical"
      series={[{ name: 'answers', label: t('analytics.answers'), color: 'var(--skill)' }]}
      maxBarWidth={16}
      xAxisProps={{ allowDecimals: false }}
      yAxisProps={{ width: 150, tickFormatter: shortName, interval: 0 }}
      valueFormatter={number}
    />
  );
}

function shortName(name: string): string {
  return name.length > longestName ? `${name.slice(0, longestName - 1)}…` : name;
}
