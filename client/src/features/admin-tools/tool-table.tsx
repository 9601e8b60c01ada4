import type { AdminTool, AdminToolSource } from '@knowhow/shared/config/admin-tools';
import { Button, NativeSelect } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { CardTable } from '../../ui/layout/card-table.tsx';
import { EmptyState } from '../../ui/layout/empty-state.tsx';
import { Paging } from '../../ui/layout/paging.tsx';
import { SearchField } from '../../ui/layout/search-field.tsx';
import { useToolLabel } from '../../ui/text/use-tool-label.ts';
import { revealHiddenCharacters } from '../../ui/text/visible-text.ts';
import { ToolBadge } from './tool-badge.tsx';
import {
  filterTools,
  type ListedTool,
  listTools,
  pageSize,
  type ToolFilters,
  toolStates,
} from './tool-filters.ts';
import classes from './tool-list.module.css';
import { ToolSwitch } from './tool-switch.tsx';
import { useHintWords } from './use-hint-words.ts';

interface ToolTableProps {
  sources: readonly AdminToolSource[];
  filters: ToolFilters;
  onFilter: (changed: Partial<ToolFilters>) => void;
}

/** The filtered tools of all sources, paginated. */
export function ToolTable({ sources, filters, onFilter }: ToolTableProps) {
  const { t } = useTranslation();
  const tools = useMemo(() => listTools(sources), [sources]);
  const found = filterTools(tools, filters);
  const last = Math.max(1, Math.ceil(found.length / pageSize));
  const page = Math.min(filters.page, last);
  const shown = found.slice((page - 1) * pageSize, page * pageSize);
  return (
    <>
      <FilterBar sources={sources} filters={filters} onFilter={onFilter} />
      {tools.length === 0 && <p className={classes.note}>{t('adminTools.noTools')}</p>}
      {tools.length > 0 && found.length === 0 && (
        <EmptyState title={t('adminTools.nothing')} text={t('adminTools.nothingAbout')}>
          <Button variant="default" onClick={() => onFilter({ query: '', source: '', state: '' })}>
            {t('adminTools.clear')}
          </Button>
        </EmptyState>
      )}
      {shown.length > 0 && (
        <>
          <ShownTools tools={shown} />
          <Paging
            page={page}
            shown={shown.length}
            total={found.length}
            pageSize={pageSize}
            onPage={(next) => onFilter({ page: next })}
          />
        </>
      )}
    </>
  );
}

function FilterBar({ sources, filters, onFilter }: ToolTableProps) {
  const { t } = useTranslation();
  return (
    <div className={classes.filters}>
      <SearchField
        label={t('adminTools.search')}
        value={filters.query}
        onChange={(query) => onFilter({ query })}
      />
      <NativeSelect
        aria-label={t('adminTools.source')}
        value={filters.source}
        data={[
          { value: '', label: t('adminTools.allSources') },
          ...sources.map(({ id, title }) => ({ value: id, label: title })),
        ]}
        onChange={(event) => onFilter({ source: event.currentTarget.value })}
      />
      <NativeSelect
        aria-label={t('adminTools.state')}
        value={filters.state}
        data={[
          { value: '', label: t('adminTools.allStates') },
          ...toolStates.map((state) => ({ value: state, label: t(stateTexts[state]) })),
        ]}
        onChange={(event) => {
          const { value } = event.currentTarget;
          onFilter({ state: toolStates.find((state) => state === value) ?? '' });
        }}
      />
    </div>
  );
}

const stateTexts = {
  on: 'status.on',
  off: 'status.off',
  changed: 'adminTools.states.changed',
  fault: 'adminTools.states.fault',
  error: 'adminTools.states.error',
} as const satisfies Record<(typeof toolStates)[number], string>;

function ShownTools({ tools }: { tools: readonly ListedTool[] }) {
  const { t } = useTranslation();
  const hintWords = useHintWords();
  const labelOf = useToolLabel();
  return (
    <CardTable
      label={t('adminTools.tools')}
      rows={tools}
      keyOf={({ tool }) => tool.id}
      head={{
        label: t('adminTools.tool'),
        render: ({ tool }) => (
          <>
            <Link className={classes.name} to={`/admin/tools/${tool.name}`}>
              {revealHiddenCharacters(labelOf(tool).title)}
            </Link>
            <span className={classes.id}>{tool.name}</span>
            <span className={classes.description}>{revealHiddenCharacters(tool.description)}</span>
          </>
        ),
      }}
      columns={[
        {
          label: t('adminTools.source'),
          render: ({ source }) => labelOf({ ...source, source: source.title }).source,
        },
        { label: t('adminTools.hints'), render: ({ tool }) => hintWords(tool).join(', ') },
        { label: t('adminTools.users'), render: ({ tool }) => <Reach tool={tool} /> },
        { label: t('adminTools.asks'), render: ({ tool }) => <Asks tool={tool} /> },
        { label: t('adminTools.state'), render: (listed) => <ToolBadge listed={listed} /> },
      ]}
      action={{
        label: t('adminTools.on'),
        render: ({ tool }) => <ToolSwitch tool={tool} />,
      }}
    />
  );
}

/** Groups that grant a tool, and apps that offer it. */
function Reach({ tool: { groups, apps } }: { tool: AdminTool }) {
  const { t } = useTranslation();
  if (groups.length === 0 || apps.length === 0) {
    return t('adminTools.unused');
  }
  return `${t('adminTools.groups', { count: groups.length })} · ${t('adminTools.apps', { count: apps.length })}`;
}

function Asks({ tool }: { tool: AdminTool }) {
  const { t } = useTranslation();
  if (tool.consent === 'never') {
    return t('adminTools.asksNever');
  }
  return t(tool.approved ? 'adminTools.asksApproved' : 'adminTools.asksAlways');
}
