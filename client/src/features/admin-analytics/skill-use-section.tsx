import type { ReportQuery, SkillReport, SkillUse } from '@knowhow/shared/config/analytics';
import { Button, Modal, NativeSelect } from '@mantine/core';
import { useDeferredValue, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { CardTable, type Column, numbers } from '../../ui/layout/card-table.tsx';
import { Paging } from '../../ui/layout/paging.tsx';
import { SearchField } from '../../ui/layout/search-field.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { MoreButton } from '../../ui/more-button.tsx';
import { useReportFormat } from '../../ui/text/use-report-format.ts';
import { VersionUses } from '../../ui/version-uses.tsx';
import classes from './skill-use-section.module.css';

const pageSize = 15;

interface SkillUseSectionProps {
  skills: SkillUse[];
  /** Filters of the report. */
  asked: ReportQuery;
}

/** Every skill with its figures, searchable and sortable. */
export function SkillUseSection({ skills, asked }: SkillUseSectionProps) {
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
            action={{
              label: t('analytics.versions.versions'),
              render: ({ name }) => <VersionsButton name={name} asked={asked} />,
            }}
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

/** Opens the figures of a skill's versions. */
function VersionsButton({ name, asked }: { name: string; asked: ReportQuery }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        variant="default"
        size="xs"
        aria-label={t('analytics.versions.ofSkill', { name })}
        onClick={() => setOpen(true)}
      >
        {t('analytics.versions.compare')}
      </Button>
      <Modal
        opened={isOpen}
        onClose={() => setOpen(false)}
        title={t('analytics.versions.ofSkill', { name })}
        closeButtonProps={{ 'aria-label': t('action.close') }}
        size="min(64rem, 96vw)"
        centered
      >
        <VersionUses skill={name} asked={asked} />
      </Modal>
    </>
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

/** Sort key of each column: texts ascending, numbers descending. */
const sortKeys = {
  name: ({ name }) => name,
  conversations: ({ conversations }) => conversations,
  answers: ({ answers }) => answers,
  activations: (use) => activationsOf(use),
  refused: ({ refused }) => refused,
  limited: ({ limited }) => limited,
  ended: ({ ended }) => ended.user,
  tokens: ({ inputTokens, outputTokens }) => inputTokens + outputTokens,
  cost: ({ costs }) => costs.reduce((sum, { amount }) => sum + amount, 0),
  thumbs: ({ thumbs: { up, down } }) => up - down,
} as const satisfies Record<string, (use: SkillUse) => string | number>;

type SkillSort = keyof typeof sortKeys;

interface SkillOrder {
  sort: SkillSort;
  order: 'ascending' | 'descending';
}

/** The initial sort direction of a column. */
function firstOrder(sort: SkillSort): SkillOrder['order'] {
  return sort === 'name' ? 'ascending' : 'descending';
}

/** Skills whose names contain the words, sorted; ties by name. */
function sortedSkills(
  skills: readonly SkillUse[],
  words: string,
  { sort, order }: SkillOrder,
): SkillUse[] {
  const key = sortKeys[sort];
  const sign = order === 'ascending' ? 1 : -1;
  const wanted = words.toLowerCase().split(/\s+/);
  return skills
    .filter(({ name }) => wanted.every((word) => name.toLowerCase().includes(word)))
    .sort((one, other) => {
      const [first, second] = [key(one), key(other)];
      const names = one.name < other.name ? -1 : 1;
      return first === second ? names : first < second ? -sign : sign;
    });
}

/** All activations of a skill, by any means. */
function activationsOf({ activations }: SkillUse): number {
  return Object.values(activations).reduce((sum, count) => sum + count, 0);
}

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
      <MoreButton
        list={{
          hasNextPage: shown.length < names.length,
          isFetchingNextPage: false,
          fetchNextPage: () => setMost(most + more),
        }}
      />
      {shown.length === names.length && names.length < total && (
        <p>{t('analytics.neverUsed.cut', { shown: number(names.length) })}</p>
      )}
    </Section>
  );
}
