import type { ConfigKind } from '@knowhow/shared/admin-config';
import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { query } from '../../api/query.ts';
import { ErrorNote } from '../../ui/error-note.tsx';
import { PageFrame } from '../../ui/page-frame.tsx';
import { configApis, kindTexts } from './config-kind.ts';
import { ItemEditor } from './item-editor.tsx';
import classes from './item-page.module.css';

interface ItemPageProps {
  kind: ConfigKind;
  id: string;
  /** The form. */
  children: ReactNode;
  /** What there is to know and to do beside it. */
  facts?: ReactNode;
  /** What else is lost when it is deleted, in sentences. */
  losses: string[];
}

/** One app, group, model or prompt: read, then edited. */
export function ItemPage({ kind, id, ...rest }: ItemPageProps) {
  const { t } = useTranslation();
  const item = useQuery(query(configApis[kind].get, { params: { id } }));
  if (item.data) {
    return <ItemEditor key={id} kind={kind} initial={item.data} {...rest} />;
  }
  return (
    <PageFrame title={id} back={{ to: `/admin/${kind}`, label: t(kindTexts[kind].title) }}>
      {item.error ? (
        <ErrorNote error={item.error} />
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
