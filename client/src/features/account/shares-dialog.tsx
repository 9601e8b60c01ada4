import { type Share, sharingApi } from '@knowhow/shared/chat/sharing';
import { Button, Modal, Skeleton } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { allItems, endpointQueryFilter } from '../../api/query.ts';
import { EndShareDialog } from '../../ui/end-share-dialog.tsx';
import { CopyButton } from '../../ui/text/copy-button.tsx';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import { useFormat } from '../../ui/text/use-format.ts';
import list from './account-list.module.css';
import classes from './shares-dialog.module.css';

const sharesQuery = allItems(sharingApi.list, {});

/** The user's shared links. */
export function SharesDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const shares = useQuery({ ...sharesQuery, staleTime: 0 });
  const items = shares.data;
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('account.shares')}
      closeButtonProps={{ 'aria-label': t('action.close') }}
      size="lg"
      centered
    >
      {items && (
        <p className={list.about}>{t(items.length === 0 ? 'share.none' : 'share.listAbout')}</p>
      )}
      {shares.error && !items && (
        <ErrorNote error={shares.error} onRetry={() => shares.refetch()} />
      )}
      {shares.isPending && (
        <div role="status" aria-label={t('state.loading')}>
          <Skeleton height={96} />
        </div>
      )}
      <ul className={list.list}>
        {items?.map((share) => (
          <ShareRow key={share.id} share={share} />
        ))}
      </ul>
    </Modal>
  );
}

function ShareRow({ share }: { share: Share }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [asks, setAsks] = useState(false);
  const { id, title, path } = share;
  const end = useMutation({
    mutationFn: () => call(sharingApi.revoke, { params: { id } }),
    onSuccess: () =>
      Promise.all([
        queryClient.invalidateQueries(sharesQuery),
        queryClient.invalidateQueries(endpointQueryFilter(sharingApi.get)),
      ]),
  });
  return (
    <li>
      <div className={list.row}>
        <div className={list.text}>
          <p className={list.title}>
            <a className={classes.link} href={path} target="_blank" rel="noreferrer">
              {title}
            </a>
          </p>
          <p className={list.facts}>{useFacts(share).join(' · ')}</p>
        </div>
        <div className={classes.actions}>
          <CopyButton label={t('share.copyLink')} textOf={() => location.origin + path} />
          <Button
            variant="default"
            size="xs"
            aria-label={t('share.endOf', { title })}
            onClick={() => setAsks(true)}
          >
            {t('share.end')}
          </Button>
        </div>
      </div>
      <EndShareDialog opened={asks} title={title} end={end} onClose={() => setAsks(false)} />
    </li>
  );
}

/** Audience, contents and date of the link. */
function useFacts({ isPublic, files, details, sharedAt }: Share): string[] {
  const { t } = useTranslation();
  const { date } = useFormat();
  return [
    t(isPublic ? 'share.forEverybody' : 'share.forMembers'),
    ...(files ? [t('share.withFiles')] : []),
    ...(details ? [t('share.withDetails')] : []),
    t('shared.asOf', { date: date(sharedAt) }),
  ];
}
