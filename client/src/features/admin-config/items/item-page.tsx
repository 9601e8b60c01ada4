import type { ConfigKind } from '@knowhow/shared/config/admin-config';
import { Problem } from '@knowhow/shared/problem';
import { Button, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { query } from '../../../api/query.ts';
import { EmptyState } from '../../../ui/layout/empty-state.tsx';
import { PageFrame } from '../../../ui/layout/page-frame.tsx';
import { ErrorNote } from '../../../ui/text/error-note.tsx';
import { configApis, kindTexts } from './config-kind.ts';
import { ItemEditor } from './item-editor.tsx';
import classes from './item-page.module.css';

interface ItemPageProps {
  kind: ConfigKind;
  id: string;
  /** The form. */
  children: ReactNode;
  /** Details and actions next to the form. */
  facts?: ReactNode;
  /** Sentences about what else is lost on deletion. */
  losses: string[];
}

/** The page of an app, group, model or prompt. */
export function ItemPage({ kind, id, ...rest }: ItemPageProps) {
  const { t } = useTranslation();
  const item = useQuery(query(configApis[kind].get, { params: { id } }));
  if (item.data) {
    return <ItemEditor key={id} kind={kind} initial={item.data} {...rest} />;
  }
  return (
    <PageFrame title={id} back={{ to: `/admin/${kind}`, label: t(kindTexts[kind].title) }}>
      {item.error ? (
        <ItemMissing kind={kind} id={id} error={item.error} onRetry={() => void item.refetch()} />
      ) : (
        <div className={classes.waiting} role="status" aria-label={t('state.loading')}>
          <Skeleton height={36} width="30%" />
          <Skeleton height={120} />
          <Skeleton height={240} />
        </div>
      )}
    </PageFrame>
  );
}

interface ItemMissingProps {
  kind: ConfigKind;
  id: string;
  error: Error;
  onRetry: () => void;
}

/** Shown for an item that does not exist or could not be loaded. */
function ItemMissing({ kind, id, error, onRetry }: ItemMissingProps) {
  const { t } = useTranslation();
  if (error instanceof Problem && error.code === 'not-found') {
    return (
      <EmptyState title={t('adminConfig.missing', { id })} text={t('adminConfig.missingText')}>
        <Button component={Link} to={`/admin/${kind}`}>
          {t('adminConfig.showAll')}
        </Button>
      </EmptyState>
    );
  }
  return <ErrorNote error={error} onRetry={onRetry} />;
}
