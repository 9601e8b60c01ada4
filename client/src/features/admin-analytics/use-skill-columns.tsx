import type { SkillUse } from '@knowhow/shared/config/analytics';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { type Column, numbers } from '../../ui/layout/card-table.tsx';
import { activationsOf, type SkillSort } from './skill-order.ts';
import { useReportFormat } from './use-report-format.ts';

type SkillColumn = Column<SkillUse> & { sort: SkillSort };

/** The columns of the skill table. */
export function useSkillColumns(): { head: SkillColumn; columns: SkillColumn[] } {
  const { t } = useTranslation();
  const { number, compact, costs } = useReportFormat();
  const column = (sort: SkillSort, label: string, render: (use: SkillUse) => string) => ({
    sort,
    ...numbers(label, render),
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
      column('conversations', t('analytics.conversations'), (use) => number(use.conversations)),
      column('answers', t('analytics.answers'), (use) => number(use.answers)),
      column('activations', t('analytics.skills.activations'), (use) => number(activationsOf(use))),
      column('refused', t('analytics.skills.refused'), (use) => number(use.refused)),
      column('limited', t('analytics.skills.limited'), (use) => number(use.limited)),
      column('ended', t('analytics.skills.ended'), (use) => number(use.ended.user)),
      column('tokens', t('analytics.tokens'), (use) => compact(use.inputTokens + use.outputTokens)),
      column('cost', t('analytics.cost'), (use) => costs(use.costs)),
      column('thumbs', t('analytics.skills.thumbs'), thumbs),
    ],
  };
}
