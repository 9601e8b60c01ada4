import type { NamedUse, Use } from '@knowhow/shared/config/analytics';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { CardTable, numbers } from '../../ui/layout/card-table.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { useReportFormat } from './use-report-format.ts';

interface BreakdownSectionProps {
  title: string;
  /** Column heading for one item. */
  one: string;
  about?: string;
  uses: NamedUse[];
  /** Base path of their pages. */
  kind: 'apps' | 'groups' | 'models';
}

/** The figures broken down by app, group or model. */
export function BreakdownSection({ title, one, about, uses, kind }: BreakdownSectionProps) {
  const { t } = useTranslation();
  const { number, compact, share } = useReportFormat();
  return (
    <Section title={title} text={about}>
      <CardTable
        label={title}
        rows={uses}
        keyOf={({ id }) => id}
        head={{
          label: one,
          render: ({ id }) => <Link to={`/admin/${kind}/${encodeURIComponent(id)}`}>{id}</Link>,
        }}
        columns={[
          numbers(t('analytics.conversations'), (use: Use) => number(use.conversations)),
          numbers(t('analytics.withSkill'), (use: Use) =>
            share(use.conversationsWithSkill, use.conversations),
          ),
          numbers(t('analytics.tokens'), (use: Use) => compact(use.inputTokens + use.outputTokens)),
        ]}
      />
    </Section>
  );
}
