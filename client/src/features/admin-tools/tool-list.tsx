import type { AdminToolSource } from '@knowhow/shared/config/admin-tools';
import { Button, Skeleton, Switch, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Trans, useTranslation } from 'react-i18next';
import { CardTable, numbers } from '../../ui/layout/card-table.tsx';
import { EmptyState } from '../../ui/layout/empty-state.tsx';
import { PageFrame } from '../../ui/layout/page-frame.tsx';
import { Section } from '../../ui/layout/section.tsx';
import badge from '../../ui/layout/status-badge.module.css';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import { TextBlock } from '../../ui/text/text-block.tsx';
import { useErrorToast } from '../../ui/text/use-error-toast.ts';
import { useFormat } from '../../ui/text/use-format.ts';
import { useUndoToast } from '../../ui/use-undo-toast.tsx';
import { RunnerSection } from './runner-section.tsx';
import { useToolFilters } from './tool-filters.ts';
import classes from './tool-list.module.css';
import { ToolTable } from './tool-table.tsx';
import { toolsQuery, useDecision } from './tools-query.ts';

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

interface SourceTableProps {
  sources: readonly AdminToolSource[];
  /** Shows its tools. */
  onPick: (source: string) => void;
}

/** The tool sources with their status, each with a switch. */
function SourceTable({ sources, onPick }: SourceTableProps) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <CardTable
      label={t('adminTools.sources')}
      rows={sources}
      keyOf={({ id }) => id}
      head={{
        label: t('adminTools.source'),
        render: ({ id, title, kind }) => (
          <>
            <UnstyledButton className={classes.name} onClick={() => onPick(id)}>
              {title}
            </UnstyledButton>
            <span className={classes.kind}>
              {t(kindTexts[kind])} · <code>{id}</code>
            </span>
          </>
        ),
      }}
      columns={[
        { label: t('adminTools.state'), render: (source) => <SourceState source={source} /> },
        numbers<AdminToolSource>(t('adminTools.tools'), ({ tools }) => format.number(tools.length)),
      ]}
      action={{
        label: t('adminTools.on'),
        render: (source) => <SourceSwitch source={source} />,
      }}
    />
  );
}

function SourceState({ source }: { source: AdminToolSource }) {
  const { t } = useTranslation();
  const { relativeDate, date } = useFormat();
  const { kind, status, message, since, enabled } = source;
  const isUnused = status === 'idle' && kind !== 'mcp';
  const word = isUnused ? 'adminTools.status.unused' : statusTexts[status];
  const look = enabled ? lookOf[status] : 'off';
  return (
    <div className={classes.state}>
      <div>
        <span className={badge.badge} data-status={look}>
          {t(enabled ? word : 'status.off')}
        </span>
        {since && (
          <time className={classes.since} dateTime={since} title={date(since)}>
            {relativeDate(since)}
          </time>
        )}
      </div>
      {message && <p className={classes.message}>{message}</p>}
      {enabled && status === 'failed' && <ConnectButton source={source} />}
    </div>
  );
}

function ConnectButton({ source: { id, title } }: { source: AdminToolSource }) {
  const { t } = useTranslation();
  const { connect } = useDecision();
  const showError = useErrorToast();
  return (
    <Button
      className={classes.connect}
      variant="default"
      size="compact-sm"
      aria-label={t('adminTools.connectOf', { title })}
      loading={connect.isPending}
      onClick={() => connect.mutate(id, { onError: showError })}
    >
      {t('adminTools.connect')}
    </Button>
  );
}

function SourceSwitch({ source }: { source: AdminToolSource }) {
  const { t } = useTranslation();
  const { switchSource } = useDecision();
  const showUndo = useUndoToast();
  const showError = useErrorToast();
  const { id, title, enabled } = source;
  const write = (isOn: boolean) => switchSource.mutateAsync({ source: id, enabled: isOn });
  return (
    <Switch
      className={classes.switch}
      aria-label={t('adminTools.useSource', { title })}
      checked={switchSource.isPending ? switchSource.variables.enabled : enabled}
      onChange={(event) => {
        const isOn = event.currentTarget.checked;
        const message = t(isOn ? 'adminTools.isOn' : 'adminTools.isOff', { title });
        write(isOn).then(() => showUndo({ message, undo: () => write(!isOn) }), showError);
      }}
    />
  );
}

const kindTexts = {
  builtin: 'adminTools.kinds.builtin',
  mcp: 'adminTools.kinds.mcp',
  skills: 'adminTools.kinds.skills',
  scripts: 'adminTools.kinds.scripts',
} as const satisfies Record<AdminToolSource['kind'], string>;

const statusTexts = {
  ready: 'adminTools.status.ready',
  idle: 'adminTools.status.idle',
  connecting: 'adminTools.status.connecting',
  failed: 'adminTools.status.failed',
  'sign-in': 'adminTools.status.signIn',
} as const satisfies Record<AdminToolSource['status'], string>;

const lookOf = {
  ready: 'on',
  idle: 'off',
  connecting: 'shadowed',
  failed: 'broken',
  'sign-in': 'broken',
} as const satisfies Record<AdminToolSource['status'], string>;
