import type { SkillUse } from '@knowhow/shared/analytics';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Column } from '../../ui/card-table.tsx';
import { activationsOf, type SkillSort } from './skill-order.ts';
import { useReportFormat } from './use-report-format.ts';

type SkillColumn = Column<SkillUse> & { sort: SkillSort };

/** What is told of each skill. */
export function useSkillColumns(): { head: SkillColumn; columns: SkillColumn[] } {
  const { t } = useTranslation();
  const { number, compact, costs } = useReportFormat();
  const counted = (sort: SkillSort, label: string, count: (use: SkillUse) => number) => ({
    ...{ sort, label, isNumber: true },
    render: (use: SkillUse) => number(count(use)),
  });
  const thumbs = ({ thumbs: { up, down } }: SkillUse) =>
    up + down === 0 ? '' : t('analytics.skills.upDown', { up: number(up), down: number(down) });
  return {
    head: {
      sort: 'name',
      label: t('analytics.skills.name'),
      render: ({ name, exists }) =>
        exists ? (
          <Link to={`/admin/skills/${encodeURIComponent(name)}`}>{name}</Link>
        ) : (
          t('analytics.skills.gone', { name })
        ),
    },
    columns: [
      counted('conversations', t('analytics.conversations'), (use) => use.conversations),
      counted('answers', t('analytics.answers'), (use) => use.answers),
      counted('activations', t('analytics.skills.activations'), activationsOf),
      counted('refused', t('analytics.skills.refused'), (use) => use.refused),
      counted('limited', t('analytics.skills.limited'), (use) => use.limited),
      counted('ended', t('analytics.skills.ended'), (use) => use.ended.user),
      {
        ...{ sort: 'tokens', label: t('analytics.tokens'), isNumber: true },
        render: (use) => compact(use.inputTokens + use.outputTokens),
      },
      {
        ...{ sort: 'cost', label: t('analytics.cost'), isNumber: true },
        render: (use) => costs(use.costs),
      },
      {
        ...{ sort: 'thumbs', label: t('analytics.skills.thumbs'), isNumber: true },
        render: thumbs,
      },
    ],
  };
}
