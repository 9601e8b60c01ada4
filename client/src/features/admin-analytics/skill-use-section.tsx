import type { SkillUse } from '@knowhow/shared/config/analytics';
import { NativeSelect } from '@mantine/core';
import { useDeferredValue, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { CardTable, type Column, numbers } from '../../ui/layout/card-table.tsx';
import { Paging } from '../../ui/layout/paging.tsx';
import { SearchField } from '../../ui/layout/search-field.tsx';
import { Section } from '../../ui/layout/section.tsx';
import {
  activationsOf,
  firstOrder,
  type SkillOrder,
  type SkillSort,
  sortedSkills,
} from './skill-order.ts';
import classes from './skill-use-section.module.css';
import { useReportFormat } from './use-report-format.ts';

const pageSize = 15;

/** Every skill with its figures, searchable and sortable. */
export function SkillUseSection({ skills }: { skills: SkillUse[] }) {
  const { t } = useTranslation();
  const [words, setWords] = useState('');
  const [order, setOrder] = useState<SkillOrder>({ sort: 'answers', order: 'descending' });
  const [page, setPage] = useState(1);
  const { head, columns } = useSkillColumns();
  const wanted = useDeferredValue(words);
  const found = useMemo(() => sortedSkills(skills, wanted, order), [skills, wanted, order]);
  const last = Math.max(1, Math.ceil(found.length / pageSize));
  const current = Math.min(page, last);
  const rows = found.slice((current - 1) * pageSize, current * pageSize);

  function sortBy(sort: SkillSort) {
    const turned = order.order === 'ascending' ? 'descending' : 'ascending';
    setOrder({ sort, order: sort === order.sort ? turned : firstOrder(sort) });
    setPage(1);
  }

  const sortable = [head, ...columns].map(({ sort, ...column }) => ({
    ...column,
    sort,
    onSort: () => sortBy(sort),
    ...(sort === order.sort ? { sorted: order.order } : {}),
  }));
  const [first, ...others] = sortable;
  return (
    <Section title={t('analytics.skills.title')} text={t('analytics.skills.about')}>
      <div className={classes.tools}>
        <SearchField
          label={t('analytics.skills.search')}
          value={words}
          onChange={(typed) => {
            setWords(typed);
            setPage(1);
          }}
        />
        <NativeSelect
          className={classes.sort}
          aria-label={t('analytics.skills.sort')}
          value={order.sort}
          data={sortable.map(({ sort, label }) => ({ value: sort, label }))}
          onChange={({ currentTarget: { value } }) => {
            const { sort = 'answers' } = sortable.find((column) => column.sort === value) ?? {};
            setOrder({ sort, order: firstOrder(sort) });
            setPage(1);
          }}
        />
      </div>
      {first && (
        <div className={classes.table}>
          <CardTable
            label={t('analytics.skills.title')}
            rows={rows}
            keyOf={({ name }) => name}
            head={first}
            columns={others}
          />
        </div>
      )}
      {rows.length === 0 ? (
        <p role="status">{t('analytics.skills.none')}</p>
      ) : (
        <Paging
          page={current}
          shown={rows.length}
          total={found.length}
          pageSize={pageSize}
          onPage={setPage}
        />
      )}
    </Section>
  );
}

type SkillColumn = Column<SkillUse> & { sort: SkillSort };

/** The columns of the skill table. */
function useSkillColumns(): { head: SkillColumn; columns: SkillColumn[] } {
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
