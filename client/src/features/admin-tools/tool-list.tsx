import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Trans, useTranslation } from 'react-i18next';
import { EmptyState } from '../../ui/layout/empty-state.tsx';
import { PageFrame } from '../../ui/layout/page-frame.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import { TextBlock } from '../../ui/text/text-block.tsx';
import { RunnerSection } from './runner-section.tsx';
import { SourceTable } from './source-table.tsx';
import { useToolFilters } from './tool-filters.ts';
import classes from './tool-list.module.css';
import { ToolTable } from './tool-table.tsx';
import { toolsQuery } from './tools-query.ts';

/** The tool sources and all tools. */
export function ToolList() {
  const { t } = useTranslation();
  const { filters, change } = useToolFilters();
  const list = useQuery(toolsQuery);
  const sources = list.data?.sources ?? [];
  return (
    <PageFrame title={t('adminPages.tools')} description={t('adminTools.about')}>
      {list.error && <ErrorNote error={list.error} onRetry={() => list.refetch()} />}
      {list.isPending && (
        <div role="status" aria-label={t('state.loading')}>
          <Skeleton height={176} />
        </div>
      )}
      {list.data && (
        <div className={classes.sections}>
          <Section title={t('adminTools.sources')}>
            <SourceTable sources={sources} onPick={(source) => change({ source })} />
            {sources.every(({ kind }) => kind !== 'mcp') && <NoServers />}
          </Section>
          <RunnerSection />
          <Section title={t('adminTools.tools')} id="tools">
            <ToolTable sources={sources} filters={filters} onFilter={change} />
          </Section>
        </div>
      )}
    </PageFrame>
  );
}

/** Explains how to add a tool server. */
function NoServers() {
  const { t } = useTranslation();
  return (
    <>
      <EmptyState title={t('adminTools.emptyTitle')} text={t('adminTools.emptyText')} />
      <div className={classes.steps}>
        <p>
          <Trans i18nKey="adminTools.emptyHow" components={{ code: <code /> }} />
        </p>
        <TextBlock label={file} text={example} />
        <p>
          <Trans i18nKey="adminTools.emptyGuide" components={{ code: <code /> }} />
        </p>
      </div>
    </>
  );
}

const file = 'contents/config/mcp.json';

const example = `{
  "mcpServers": {
    "tickets": { "url": "https://tickets.example.org/mcp" }
  }
}`;
