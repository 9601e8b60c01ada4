import type { SkillUse } from '@knowhow/shared/config/analytics';
import { NativeSelect } from '@mantine/core';
import { useDeferredValue, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CardTable } from '../../ui/layout/card-table.tsx';
import { Paging } from '../../ui/layout/paging.tsx';
import { SearchField } from '../../ui/layout/search-field.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { firstOrder, type SkillOrder, type SkillSort, sortedSkills } from './skill-order.ts';
import classes from './skill-use-section.module.css';
import { useSkillColumns } from './use-skill-columns.tsx';

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
