import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Trans, useTranslation } from 'react-i18next';
import { EmptyState } from '../../ui/layout/empty-state.tsx';
import { PageFrame } from '../../ui/layout/page-frame.tsx';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import { PluginCard } from './plugin-card.tsx';
import classes from './plugin-list.module.css';
import { pluginsQuery } from './plugins-query.ts';

/** The plugins, with their settings. */
export function PluginList() {
  const { t } = useTranslation();
  const list = useQuery(pluginsQuery);
  const plugins = list.data?.plugins ?? [];
  return (
    <PageFrame title={t('adminPages.plugins')} description={t('plugins.about')}>
      {list.error && <ErrorNote error={list.error} onRetry={() => list.refetch()} />}
      {list.isPending && (
        <div role="status" aria-label={t('state.loading')}>
          <Skeleton height={240} />
        </div>
      )}
      {list.data && plugins.length === 0 && (
        <>
          <EmptyState title={t('plugins.emptyTitle')} text={t('plugins.emptyText')} />
          <p className={classes.how}>
            <Trans i18nKey="plugins.emptyHow" components={{ code: <code /> }} />
          </p>
        </>
      )}
      <div className={classes.plugins}>
        {plugins.map((plugin) => (
          <PluginCard key={plugin.id} plugin={plugin} />
        ))}
      </div>
    </PageFrame>
  );
}
