import { repositoryName, shortCommit } from '@knowhow/shared/skills/git-commit';
import { parseSigner } from '@knowhow/shared/skills/signer';
import { type SkillSourceItem, skillSourceHooksApi } from '@knowhow/shared/skills/skill-sources';
import { skillUpstreamsApi } from '@knowhow/shared/skills/skill-upstreams';
import { Button, Skeleton } from '@mantine/core';
import { IconRefresh, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { query } from '../../api/query.ts';
import { buildUrl } from '../../api/request.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { PageFrame } from '../../ui/layout/page-frame.tsx';
import { CopyButton } from '../../ui/text/copy-button.tsx';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import { useFormat } from '../../ui/text/use-format.ts';
import { Upstreams } from '../../ui/upstreams/upstreams.tsx';
import classes from './admin-sources.module.css';
import { EditSource } from './edit-source.tsx';
import { Proposal } from './proposal.tsx';
import { scheduleNames } from './schedule-names.ts';
import { sourceQuery, useRemoveSource, useSyncSource } from './sources-query.ts';

/** A source: its commit, its last sync, and what it proposes. */
export function SourcePage({ id }: { id: string }) {
  const { t } = useTranslation();
  const { data: item, error, refetch } = useQuery(sourceQuery(id));
  const sync = useSyncSource(id);
  const actions = item && (
    <>
      <RemoveSource item={item} />
      <EditSource item={item} />
      <Button
        leftSection={<IconRefresh size={17} aria-hidden />}
        loading={sync.isPending}
        onClick={() => sync.mutate()}
      >
        {t('sources.sync')}
      </Button>
    </>
  );
  return (
    <PageFrame
      title={id}
      back={{ to: '/admin/sources', label: t('adminPages.sources') }}
      actions={actions}
    >
      {error && <ErrorNote error={error} onRetry={() => refetch()} />}
      {!item && !error && (
        <div role="status" aria-label={t('state.loading')}>
          <Skeleton height={176} />
        </div>
      )}
      {sync.error && <ErrorNote error={sync.error} />}
      <p className={classes.locked} role="status">
        {sync.data?.state.isLocked === true && t('sources.locked')}
      </p>
      {item && <SourceFacts item={item} isFresh={sync.error === null} />}
      {item?.state.commit !== undefined && <Proposal item={item} />}
      {item && <TakenSkills id={id} />}
    </PageFrame>
  );
}

/** The skills that were taken from a source. */
function TakenSkills({ id }: { id: string }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(query(skillUpstreamsApi.ofSource, { params: { id } }));
  if (error) {
    return <ErrorNote error={error} onRetry={() => refetch()} />;
  }
  return data && data.items.length > 0 ? (
    <section className={classes.taken}>
      <h2 className={classes.heading}>{t('upstreams.ofSource')}</h2>
      <Upstreams items={data.items} names="skills" />
    </section>
  ) : null;
}

function SourceFacts({ item, isFresh }: { item: SkillSourceItem; isFresh: boolean }) {
  const { t } = useTranslation();
  const { relativeDate } = useFormat();
  const { source, state } = item;
  const facts = [
    [t('sources.url'), repositoryName(source.url)],
    [t('skillImport.ref'), source.ref ?? t('skillImport.refDefault')],
    [t('sources.paths'), source.paths?.join(', ') || t('skillImport.folderDefault')],
    [t('sources.schedule'), t(scheduleNames[source.schedule])],
    [t('sources.update'), t(updateName(item))],
    [
      t('sources.signatures'),
      source.requireSigned
        ? t('sources.signedBy', { names: signerNames(source.requireSigned) })
        : t('sources.unsigned'),
    ],
    [t('sources.commit'), state.commit === undefined ? '–' : shortCommit(state.commit)],
    [t('sources.synced'), state.syncedAt === undefined ? '–' : relativeDate(state.syncedAt)],
    [t('sources.skills'), String(state.skills)],
  ] as const;
  return (
    <>
      {state.error !== undefined && isFresh && (
        <p className={classes.error} role="alert">
          {t('sources.failedWith')} {state.error}
        </p>
      )}
      <dl className={classes.facts}>
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {source.webhook && <Webhook item={item} variable={source.webhook.variable} />}
    </>
  );
}

function signerNames({ signers }: { signers: readonly string[] }): string {
  const names = signers.map(parseSigner).map((each) => ('fault' in each ? '?' : each.name));
  return [...new Set(names)].join(', ');
}

/** The address that a git server calls after each push. */
function Webhook({ item: { source, state }, variable }: WebhookProps) {
  const { t } = useTranslation();
  const address = location.origin + buildUrl(skillSourceHooksApi.receive, { params: source });
  return (
    <div className={classes.webhook}>
      <p>
        {t('sources.webhook')} <code>{address}</code>
        <CopyButton textOf={() => address} label={t('sources.copyWebhook')} size={28} />
      </p>
      {state.webhook === 'no-secret' && (
        <p className={classes.failed}>{t('sources.webhookOff', { name: variable })}</p>
      )}
    </div>
  );
}

interface WebhookProps {
  item: SkillSourceItem;
  variable: string;
}

function updateName({ source, state }: SkillSourceItem) {
  if (state.needsReview) {
    return 'sources.isHeld';
  }
  return source.update === 'auto' ? 'sources.isAuto' : 'sources.isReview';
}

/** Deletes a source after naming what stays. */
function RemoveSource({ item: { source, state } }: { item: SkillSourceItem }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [isAsking, setAsking] = useState(false);
  const remove = useRemoveSource(source.id);
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconTrash size={17} aria-hidden />}
        onClick={() => setAsking(true)}
      >
        {t('sources.remove')}
      </Button>
      <ConfirmDialog
        opened={isAsking}
        title={t('sources.removeAsk', { name: source.id })}
        confirmLabel={t('sources.remove')}
        isBusy={remove.isPending}
        error={remove.error}
        onConfirm={() =>
          remove.mutate(undefined, { onSuccess: () => void navigate('/admin/sources') })
        }
        onClose={() => setAsking(false)}
      >
        {t('sources.removeAbout', { count: state.skills })}
      </ConfirmDialog>
    </>
  );
}
