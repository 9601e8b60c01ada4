import { repositoryName } from '@knowhow/shared/skills/git-commit';
import { skillSourcesApi } from '@knowhow/shared/skills/skill-sources';
import { Button, Modal, Skeleton } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { endpointQueryFilter } from '../../api/query.ts';
import { CardTable } from '../../ui/layout/card-table.tsx';
import { EmptyState } from '../../ui/layout/empty-state.tsx';
import { PageFrame } from '../../ui/layout/page-frame.tsx';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import { useFormat } from '../../ui/text/use-format.ts';
import classes from './admin-sources.module.css';
import { NewSourceForm } from './new-source-form.tsx';
import { sourcesQuery } from './sources-query.ts';

/** Git repositories from which skills come. */
export function SourceList() {
  const { t } = useTranslation();
  const { relativeDate } = useFormat();
  const [isAdding, setAdding] = useState(false);
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const list = useQuery(sourcesQuery);
  const items = list.data?.items ?? [];
  const add = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setAdding(true)}>
      {t('sources.new')}
    </Button>
  );

  async function onMade(id: string) {
    setAdding(false);
    await queryClient.invalidateQueries(endpointQueryFilter(skillSourcesApi.list));
    await navigate(`/admin/sources/${encodeURIComponent(id)}`);
  }

  return (
    <PageFrame title={t('adminPages.sources')} description={t('sources.about')} actions={add}>
      {list.error && <ErrorNote error={list.error} onRetry={() => list.refetch()} />}
      {list.isPending && (
        <div role="status" aria-label={t('state.loading')}>
          <Skeleton height={176} />
        </div>
      )}
      {list.data && items.length === 0 && (
        <EmptyState title={t('sources.empty')} text={t('sources.emptyAbout')} />
      )}
      {items.length > 0 && (
        <CardTable
          label={t('adminPages.sources')}
          rows={items}
          keyOf={({ source }) => source.id}
          head={{
            label: t('sources.name'),
            render: ({ source: { id, url } }) => (
              <>
                <Link className={classes.name} to={`/admin/sources/${encodeURIComponent(id)}`}>
                  {id}
                </Link>
                <span className={classes.address}>{repositoryName(url)}</span>
              </>
            ),
          }}
          columns={[
            {
              label: t('sources.state'),
              render: ({ state: { error, pending, syncedAt } }) =>
                error !== undefined ? (
                  <span className={classes.failed}>{t('sources.failed')}</span>
                ) : pending > 0 ? (
                  t('sources.pending', { count: pending })
                ) : (
                  t(syncedAt === undefined ? 'sources.neverSynced' : 'sources.upToDate')
                ),
            },
            { label: t('sources.skills'), render: ({ state: { skills } }) => skills },
            {
              label: t('sources.synced'),
              render: ({ state: { syncedAt } }) =>
                syncedAt === undefined ? '–' : relativeDate(syncedAt),
            },
          ]}
        />
      )}
      <Modal
        opened={isAdding}
        onClose={() => setAdding(false)}
        title={t('sources.new')}
        closeButtonProps={{ 'aria-label': t('action.close') }}
      >
        <NewSourceForm onMade={onMade} onCancel={() => setAdding(false)} />
      </Modal>
    </PageFrame>
  );
}
