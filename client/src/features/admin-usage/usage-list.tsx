import { type Usage, type Used, usageApi } from '@knowhow/shared/access/usage';
import { Skeleton } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { pages } from '../../api/query.ts';
import { CardTable, type Column, numbers } from '../../ui/layout/card-table.tsx';
import { EmptyState } from '../../ui/layout/empty-state.tsx';
import { PageFrame } from '../../ui/layout/page-frame.tsx';
import { MoreButton } from '../../ui/more-button.tsx';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import { useFormat } from '../../ui/text/use-format.ts';

/** Usage and quotas of all users and keys, today and this month. */
export function UsageList() {
  const { t } = useTranslation();
  const list = useInfiniteQuery({ ...pages(usageApi.all, {}), staleTime: 0 });
  const usages = list.data?.pages.flatMap((page) => page.items) ?? [];
  const columns = useColumns();
  return (
    <PageFrame title={t('adminPages.usage')} description={t('adminUsage.about')}>
      {list.error && <ErrorNote error={list.error} onRetry={() => list.refetch()} />}
      {list.isPending && <Skeleton height={176} />}
      {list.data && usages.length === 0 && (
        <EmptyState title={t('adminUsage.empty')} text={t('adminUsage.emptyAbout')} />
      )}
      {usages.length > 0 && (
        <CardTable
          label={t('adminPages.usage')}
          rows={usages}
          keyOf={({ kind, id }) => `${kind} ${id}`}
          head={{
            label: t('adminUsage.who'),
            render: ({ name, id }) => name ?? t('adminUsage.gone', { id: id.slice(0, 8) }),
          }}
          columns={columns}
        />
      )}
      <MoreButton list={list} />
    </PageFrame>
  );
}

function useColumns(): Column<Usage>[] {
  const { t } = useTranslation();
  const { number } = useFormat();
  const of = (count: number, max: number | undefined) =>
    max === undefined
      ? number(count)
      : t('adminUsage.of', { count: number(count), max: number(max) });
  const turns = ({ turns: count, maxTurns }: Used) => of(count, maxTurns);
  const tokens = ({ tokens: count, maxTokens }: Used) => of(count, maxTokens);
  return [
    { label: t('adminUsage.kind'), render: ({ kind }) => t(kindNames[kind]) },
    numbers(t('adminUsage.turnsToday'), ({ day }) => turns(day)),
    numbers(t('adminUsage.tokensToday'), ({ day }) => tokens(day)),
    numbers(t('adminUsage.turnsMonth'), ({ month }) => turns(month)),
    numbers(t('adminUsage.tokensMonth'), ({ month }) => tokens(month)),
  ];
}

const kindNames = {
  user: 'adminUsage.kinds.user',
  key: 'adminUsage.kinds.key',
  group: 'adminUsage.kinds.group',
} as const;
