import type { ConfigItem, ConfigKind } from '@knowhow/shared/config/admin-config';
import { Problem } from '@knowhow/shared/problem';
import { Button, Skeleton } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconTrash } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { call } from '../../../api/call.ts';
import { endpointQueryFilter, query } from '../../../api/query.ts';
import { useLocalize } from '../../../i18n/use-localize.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { EmptyState } from '../../../ui/layout/empty-state.tsx';
import { PageFrame } from '../../../ui/layout/page-frame.tsx';
import { StatusBadge } from '../../../ui/layout/status-badge.tsx';
import { ErrorNote } from '../../../ui/text/error-note.tsx';
import { useUnsavedWarning } from '../../../ui/use-unsaved-warning.tsx';
import { getDisplayName } from '../get-display-name.ts';
import { configApis, configSchemas, kindTexts } from './config-kind.ts';
import { DraftContext, useDraft } from './draft-context.ts';
import { EditorBody } from './editor-body.tsx';
import classes from './item-page.module.css';
import { useFollowItem } from './use-follow-item.ts';
import { useItemDraft } from './use-item-draft.ts';
import { usePutItem } from './use-put-item.ts';
import { type ItemStore, useSaveItem } from './use-save-item.ts';

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

interface ItemEditorProps {
  kind: ConfigKind;
  initial: ConfigItem;
  children: ReactNode;
  facts?: ReactNode;
  losses: string[];
}

function ItemEditor({ kind, initial, children, facts, losses }: ItemEditorProps) {
  const { t } = useTranslation();
  const localize = useLocalize();
  const source = { key: kind, schema: configSchemas[kind], hasId: true };
  const draft = useItemDraft(source, initial);
  const { item, isDirty } = draft;
  const saving = useSaveItem(draft, useItemStore(kind, initial.id));
  const warning = useUnsavedWarning(isDirty, draft.forget);
  useHotkeys([['mod+S', saving.save]], []);

  useFollowItem({ initial, draft, saving });

  function onDeleted() {
    warning.letGo();
    draft.forget();
  }

  return (
    <DraftContext value={draft}>
      <PageFrame
        title={getDisplayName(item, localize)}
        back={{ to: `/admin/${kind}`, label: t(kindTexts[kind].title) }}
        status={<ItemStatus item={item} />}
        actions={<DeleteItem kind={kind} losses={losses} onDeleted={onDeleted} />}
      >
        <EditorBody saving={saving} facts={facts}>
          {children}
        </EditorBody>
        {warning.question}
      </PageFrame>
    </DraftContext>
  );
}

/** Groups cannot be disabled. */
function ItemStatus({ item: { config, fault } }: { item: ConfigItem }) {
  if (fault) {
    return <StatusBadge status="broken" />;
  }
  const enabled = config?.enabled;
  return typeof enabled === 'boolean' && <StatusBadge status={enabled ? 'on' : 'off'} />;
}

interface DeleteItemProps {
  kind: ConfigKind;
  /** Sentences about what is lost with it. */
  losses: string[];
  onDeleted: () => void;
}

/** Deletes the item, after naming what will be lost. */
function DeleteItem({ kind, losses, onDeleted }: DeleteItemProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [isAsked, setAsked] = useState(false);
  const { item } = useDraft();
  const api = configApis[kind];

  const deletion = useMutation({
    mutationFn: () => call(api.remove, { params: { id: item.id } }, { ifMatch: item.checksum }),
    onSuccess: async () => {
      onDeleted();
      await navigate(`/admin/${kind}`);
      queryClient.removeQueries(endpointQueryFilter(api.get));
      void queryClient.invalidateQueries();
    },
  });

  return (
    <>
      <Button
        variant="default"
        leftSection={<IconTrash size={16} aria-hidden />}
        onClick={() => setAsked(true)}
      >
        {t('adminConfig.delete.action')}
      </Button>
      <ConfirmDialog
        title={t(kindTexts[kind].remove, { id: item.id })}
        opened={isAsked}
        onClose={() => setAsked(false)}
        onConfirm={() => deletion.mutate()}
        confirmLabel={t('adminConfig.delete.action')}
        typed={item.id}
        error={deletion.error}
        isBusy={deletion.isPending}
      >
        <p>{t('adminConfig.delete.about', { path: item.path })}</p>
        {losses.length > 0 && (
          <ul>
            {losses.map((loss) => (
              <li key={loss}>{loss}</li>
            ))}
          </ul>
        )}
      </ConfirmDialog>
    </>
  );
}

/** Reads and writes an app, group, model or prompt. */
function useItemStore(kind: ConfigKind, id: string): ItemStore {
  const put = usePutItem(kind);
  const api = configApis[kind];
  const input = { params: { id } };
  return {
    newest: { queryKey: query(api.get, input).queryKey, queryFn: () => call(api.get, input) },
    put: (config, checksum) => put({ id, config, checksum }),
    name: id,
  };
}
