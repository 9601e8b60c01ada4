import type { AdminTool } from '@knowhow/shared/config/admin-tools';
import { Button, Radio, Skeleton } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { TwoVersions } from '../../ui/files/two-versions.tsx';
import { useFocusAfter } from '../../ui/focus/use-focus-after.ts';
import { EmptyState } from '../../ui/layout/empty-state.tsx';
import { PageFrame } from '../../ui/layout/page-frame.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import { PlainText } from '../../ui/text/plain-text.tsx';
import { TextBlock } from '../../ui/text/text-block.tsx';
import { useToolLabel } from '../../ui/text/use-tool-label.ts';
import { revealHiddenCharacters } from '../../ui/text/visible-text.ts';
import { ToolBadge } from './tool-badge.tsx';
import { type ListedTool, listTools } from './tool-filters.ts';
import classes from './tool-page.module.css';
import { ToolSwitch } from './tool-switch.tsx';
import { toolsQuery, useDecision } from './tools-query.ts';
import { TryTool } from './try-tool.tsx';
import { useHintWords } from './use-hint-words.ts';

/** The page of one tool, by its model-facing name. */
export function ToolPage({ id: name }: { id: string }) {
  const { t } = useTranslation();
  const list = useQuery(toolsQuery);
  const listed = listTools(list.data?.sources ?? []).find(({ tool }) => tool.name === name);
  const back = { to: '/admin/tools', label: t('adminPages.tools') };
  if (listed) {
    return <KnownTool listed={listed} back={back} />;
  }
  return (
    <PageFrame title={name} back={back}>
      {list.error && <ErrorNote error={list.error} onRetry={() => list.refetch()} />}
      {list.isPending && (
        <div role="status" aria-label={t('state.loading')}>
          <Skeleton height={176} />
        </div>
      )}
      {list.data && (
        <EmptyState title={t('adminTools.gone', { name })} text={t('adminTools.goneAbout')}>
          <Button variant="default" component={Link} to="/admin/tools">
            {t('adminTools.showAll')}
          </Button>
        </EmptyState>
      )}
    </PageFrame>
  );
}

interface KnownToolProps {
  listed: ListedTool;
  back: { to: string; label: string };
}

function KnownTool({ listed, back }: KnownToolProps) {
  const { t } = useTranslation();
  const { tool } = listed;
  const { title } = useToolLabel()(tool);
  return (
    <PageFrame
      title={revealHiddenCharacters(title)}
      back={back}
      status={<ToolBadge listed={listed} />}
      actions={<ToolSwitch tool={tool} />}
    >
      <ToolNotes listed={listed} />
      <div className={classes.columns}>
        <div className={classes.main}>
          {tool.was && <ToolChange tool={tool} was={tool.was} />}
          <Section title={t('adminTools.description')} text={t('adminTools.descriptionAbout')}>
            <div className={classes.description}>
              <PlainText text={revealHiddenCharacters(tool.description)} />
            </div>
          </Section>
          <ToolConsentChoice tool={tool} />
          <Section title={t('adminTools.tryIt')} text={t('adminTools.tryItAbout')}>
            <TryTool key={tool.digest} tool={tool} />
          </Section>
          <Section title={t('adminTools.schema')}>
            <TextBlock label={t('adminTools.schemaLabel')} text={JSON.stringify(tool.parameters)} />
          </Section>
        </div>
        <ToolFacts listed={listed} />
      </div>
    </PageFrame>
  );
}

/** The differences of a changed tool from the accepted version: title, description or schema. */
function ToolChange({ tool, was }: { tool: AdminTool; was: NonNullable<AdminTool['was']> }) {
  const { t } = useTranslation();
  return (
    <Section title={t('adminTools.was')}>
      <TwoVersions
        theirs={serializeTool(was)}
        mine={serializeTool(tool)}
        titles={{ theirs: t('adminTools.wasBefore'), mine: t('adminTools.wasNow') }}
      />
    </Section>
  );
}

/** With sorted keys, because their order does not matter. */
function serializeTool({ title, description, parameters }: NonNullable<AdminTool['was']>): string {
  const schema = JSON.stringify(sortKeys(parameters), null, 2);
  return revealHiddenCharacters([title, '', description, '', schema].join('\n'));
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(sortKeys);
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([key, part]) => [key, sortKeys(part)]));
}

/** Read-only details of a tool. */
function ToolFacts({ listed: { tool, source } }: { listed: ListedTool }) {
  const { t } = useTranslation();
  const hintWords = useHintWords();
  return (
    <dl className={classes.facts}>
      <div>
        <dt>{t('adminTools.source')}</dt>
        <dd>{source.title}</dd>
      </div>
      <div>
        <dt>{t('adminTools.hints')}</dt>
        <dd>
          {hintWords(tool).join(', ')}
          {tool.hints.isAssumed && (
            <p className={classes.noteText}>{t('adminTools.assumedAbout')}</p>
          )}
        </dd>
      </div>
      <div>
        <dt>{t('adminTools.grantedBy')}</dt>
        <dd>
          <Links to="/admin/groups" ids={tool.groups} nothing={t('adminTools.noGroup')} />
        </dd>
      </div>
      <div>
        <dt>{t('adminTools.offeredBy')}</dt>
        <dd>
          <Links to="/admin/apps" ids={tool.apps} nothing={t('adminTools.noApp')} />
        </dd>
      </div>
      <div>
        <dt>{t('adminTools.modelName')}</dt>
        <dd>
          <code>{tool.name}</code>
        </dd>
      </div>
      <div>
        <dt>{t('adminTools.rightName')}</dt>
        <dd>
          <code>{tool.id}</code>
        </dd>
      </div>
      <div>
        <dt>{t('adminTools.digest')}</dt>
        <dd>
          <code title={tool.digest}>{tool.digest.slice(0, 12)}</code>
        </dd>
      </div>
    </dl>
  );
}

function Links({ to, ids, nothing }: { to: string; ids: readonly string[]; nothing: string }) {
  if (ids.length === 0) {
    return nothing;
  }
  return (
    <ul>
      {ids.map((id) => (
        <li key={id}>
          <Link to={`${to}/${encodeURIComponent(id)}`}>{id}</Link>
        </li>
      ))}
    </ul>
  );
}

/** Whether users are asked before a tool runs, and the approval of its current version. */
function ToolConsentChoice({ tool }: { tool: AdminTool }) {
  const { t } = useTranslation();
  const { decide } = useDecision();
  const { name, consent, sourceConsent, approved, digest } = tool;
  const sourceSays = t(
    sourceConsent === 'ask' ? 'adminTools.sourceAsks' : 'adminTools.sourceNever',
  );
  return (
    <Section title={t('adminTools.consent')}>
      <Radio.Group
        aria-label={t('adminTools.consent')}
        value={consent === sourceConsent ? 'source' : consent}
        onChange={(chosen) =>
          decide.mutate({
            name,
            decision: { consent: chosen === 'ask' || chosen === 'never' ? chosen : null },
          })
        }
      >
        <div className={classes.choices}>
          <Radio value="source" label={sourceSays} />
          {sourceConsent === 'ask' ? (
            <Radio
              value="never"
              label={t('adminTools.neverAsk')}
              description={t('adminTools.neverAskAbout')}
            />
          ) : (
            <Radio value="ask" label={t('adminTools.alwaysAsk')} />
          )}
        </div>
      </Radio.Group>
      {consent === 'ask' && (
        <div className={classes.approval}>
          <p>{t(approved ? 'adminTools.approvedAbout' : 'adminTools.approveAbout')}</p>
          <Button
            size="sm"
            variant="default"
            loading={decide.isPending && decide.variables.decision.approved !== undefined}
            onClick={() =>
              decide.mutate({ name, decision: { approved: approved ? null : digest } })
            }
          >
            {t(approved ? 'adminTools.takeBack' : 'adminTools.approve')}
          </Button>
        </div>
      )}
      {decide.error && <ErrorNote error={decide.error} />}
    </Section>
  );
}

/** Why a tool is unavailable, and its last error. */
function ToolNotes({ listed: { tool, source } }: { listed: ListedTool }) {
  const { t } = useTranslation();
  const { decide } = useDecision();
  const { name, digest, fault, changed, lastError, groups, apps } = tool;
  useFocusAfter(changed);
  return (
    <div className={classes.notes}>
      {changed && (
        <Note title={t('adminTools.changedTitle')} text={t('adminTools.changedAbout')}>
          {decide.error && <ErrorNote error={decide.error} />}
          <Button
            size="sm"
            loading={decide.isPending}
            onClick={() => decide.mutate({ name, decision: { accepted: digest } })}
          >
            {t('adminTools.accept')}
          </Button>
        </Note>
      )}
      {fault !== undefined && (
        <Note title={t('adminTools.faultTitle')} text={revealHiddenCharacters(fault)} />
      )}
      {!source.enabled && (
        <Note title={t('adminTools.sourceOff', { source: source.title })}>
          <Link to="/admin/tools">{t('adminTools.toSources')}</Link>
        </Note>
      )}
      {groups.length === 0 && (
        <Note title={t('adminTools.noGroups')}>
          <Link to="/admin/groups">{t('adminTools.toGroups')}</Link>
        </Note>
      )}
      {apps.length === 0 && (
        <Note title={t('adminTools.noApps')}>
          <Link to="/admin/apps">{t('adminTools.toApps')}</Link>
        </Note>
      )}
      {lastError !== undefined && (
        <Note title={t('adminTools.lastError')} text={revealHiddenCharacters(lastError)} />
      )}
    </div>
  );
}

function Note({ title, text, children }: { title: string; text?: string; children?: ReactNode }) {
  return (
    <div className={classes.note}>
      <IconAlertTriangle size={18} aria-hidden />
      <div>
        <p className={classes.noteTitle}>{title}</p>
        {text && <p className={classes.noteText}>{text}</p>}
        {children}
      </div>
    </div>
  );
}
