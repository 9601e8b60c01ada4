import type { ConfigChoice } from '@knowhow/shared/config/admin';
import { localizedSchema } from '@knowhow/shared/config/localized';
import { adminSkillsApi } from '@knowhow/shared/skills/admin-skills';
import { Button, Skeleton } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { query } from '../../api/query.ts';
import { useLocalize } from '../../i18n/use-localize.ts';
import { EmptyState } from '../../ui/layout/empty-state.tsx';
import { Paging } from '../../ui/layout/paging.tsx';
import { useRight } from '../../ui/rights.ts';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import { useConfigItems } from '../../ui/use-config-items.ts';
import { BulkBar } from './bulk-bar.tsx';
import { DensitySwitch, useDensity } from './density-switch.tsx';
import { SkillCards } from './skill-cards.tsx';
import { SkillFilterBar } from './skill-filter-bar.tsx';
import {
  getSorting,
  hasActiveFilters,
  pageSize,
  parseFilters,
  type SkillFilters,
  serializeFilters,
  toSkillListQuery,
} from './skill-filters.ts';
import classes from './skill-list.module.css';
import { SkillTable } from './skill-table.tsx';
import { useSelection } from './use-selection.ts';
import { useToggle } from './use-toggle.ts';

/** The paginated skill list with single and bulk actions. `children`: shown if there are no skills. */
export function SkillList({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const top = useRef<HTMLDivElement>(null);
  const isPhone = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false });
  const isManager = useRight('skills');
  const [density, setDensity] = useDensity();
  const { filters, change, clear } = useSkillFilters();
  const list = useQuery({
    ...query(adminSkillsApi.list, { query: toSkillListQuery(filters) }),
    placeholderData: keepPreviousData,
  });
  const names = useReachNames();
  const { asSwitched, toggle } = useToggle();
  const skills = list.data?.items.map(asSwitched) ?? [];
  const selection = useSelection(skills);
  const { total = 0 } = list.data ?? {};
  const lastPage = Math.max(1, Math.ceil(total / pageSize));
  const isBehindEnd = list.isSuccess && !list.isPlaceholderData && filters.page > lastPage;

  useEffect(() => {
    if (isBehindEnd) {
      change({ page: lastPage }, true);
    }
  });

  if (list.data && total === 0 && !hasActiveFilters(filters)) {
    return (
      <EmptyState title={t('skillList.emptyTitle')} text={t('skillList.emptyText')}>
        {children}
      </EmptyState>
    );
  }

  const namesSource = (list.data?.facets.sources.length ?? 0) > 1;
  const rows = { skills, selection, names, namesSource, onToggle: toggle };
  return (
    <>
      <div ref={top} />
      <SkillFilterBar
        filters={filters}
        facets={list.data?.facets}
        apps={names.apps}
        isFolded={isPhone}
        onChange={change}
      >
        {!isPhone && <DensitySwitch density={density} onChange={setDensity} />}
      </SkillFilterBar>
      <LeftOutNote folders={list.data?.foldersLeftOut ?? 0} />
      {list.error && <ErrorNote error={list.error} onRetry={() => list.refetch()} />}
      {list.isPending && <ListSkeleton />}
      {list.data && total === 0 && <NothingFound onClear={clear} />}
      {skills.length > 0 && (
        <>
          <div className={classes.rows} data-stale={list.isPlaceholderData || undefined}>
            {isPhone ? (
              <SkillCards {...rows} />
            ) : (
              <SkillTable
                {...rows}
                density={density}
                sorting={getSorting(filters)}
                onSort={change}
              />
            )}
          </div>
          <Paging
            page={filters.page}
            shown={skills.length}
            total={total}
            pageSize={pageSize}
            onPage={(page) => {
              change({ page });
              top.current?.scrollIntoView({ block: 'center' });
            }}
          />
        </>
      )}
      {isManager && <BulkBar selection={selection} shown={{ filters, total }} names={names} />}
    </>
  );
}

function NothingFound({ onClear }: { onClear: () => void }) {
  const { t } = useTranslation();
  return (
    <EmptyState title={t('skillList.nothingTitle')} text={t('skillList.nothingText')}>
      <Button variant="default" onClick={onClear}>
        {t('skillList.clearFilters')}
      </Button>
    </EmptyState>
  );
}

function ListSkeleton() {
  return (
    <div className={classes.skeleton} aria-hidden>
      {['18%', '24%', '21%', '27%', '16%', '22%', '26%', '19%'].map((width) => (
        <div key={width}>
          <Skeleton height={12} width={width} />
          <Skeleton height={10} width="36%" />
        </div>
      ))}
    </div>
  );
}

/** Some folders were not scanned. The diagnostics name them and the next step. */
function LeftOutNote({ folders }: { folders: number }) {
  const { t } = useTranslation();
  return (
    folders > 0 && <p className={classes.note}>{t('skillList.leftOut', { count: folders })}</p>
  );
}

/** The filters in the page's URL. Changing one returns to the first page. */
function useSkillFilters() {
  const [search, setSearch] = useSearchParams();
  const filters = parseFilters(search);

  // Otherwise every pause in typing would add a history entry.
  function change(changed: Partial<SkillFilters>, replace = 'query' in changed): void {
    setSearch(serializeFilters({ ...filters, page: 1, ...changed }), { replace });
  }

  return { filters, change, clear: () => setSearch({}) };
}

interface Named {
  id: string;
  name: string;
}

/** The apps and groups by display name. */
function useReachNames(): { apps: Named[]; groups: Named[] } {
  const localize = useLocalize();
  const apps = useConfigItems('apps');
  const groups = useConfigItems('groups');

  function named({ id, config }: ConfigChoice): Named {
    const name = localizedSchema.safeParse(config?.name);
    return { id, name: (name.success && localize(name.data)) || id };
  }

  return { apps: apps.data?.map(named) ?? [], groups: groups.data?.map(named) ?? [] };
}
