import { type Share, sharingApi } from '@knowhow/shared/chat/sharing';
import { Button, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/call.ts';
import { endpointQueryFilter } from '../../../api/query.ts';
import { EndShareDialog } from '../../../ui/end-share-dialog.tsx';
import { CopyButton } from '../../../ui/text/copy-button.tsx';
import { useFormat } from '../../../ui/text/use-format.ts';
import classes from './share-dialog.module.css';

interface ShareLinkProps {
  share: Share;
  isOutdated: boolean;
  /** Called when it has left the page. */
  onEnded: () => void;
}

/** An existing link, to copy or disable. */
export function ShareLink({ share, isOutdated, onEnded }: ShareLinkProps) {
  const { t } = useTranslation();
  const { date } = useFormat();
  const queryClient = useQueryClient();
  const [asks, setAsks] = useState(false);
  const { id, title, path, messages, sharedAt } = share;
  const address = location.origin + path;
  const end = useMutation({
    mutationFn: () => call(sharingApi.revoke, { params: { id } }),
    onSuccess: async () => {
      await Promise.all(
        [sharingApi.get, sharingApi.list].map((each) =>
          queryClient.invalidateQueries(endpointQueryFilter(each)),
        ),
      );
      setTimeout(onEnded);
    },
  });
  return (
    <>
      <div className={classes.link}>
        <TextInput
          label={t('share.address')}
          value={address}
          readOnly
          onFocus={(event) => event.currentTarget.select()}
        />
        <CopyButton label={t('share.copyLink')} textOf={() => address} size={36} />
        <Button variant="default" onClick={() => setAsks(true)}>
          {t('share.end')}
        </Button>
      </div>
      <p className={classes.about}>
        {t('share.asOf', { count: messages, date: date(sharedAt) })}{' '}
        {isOutdated && t('share.outdated')}
      </p>
      <EndShareDialog opened={asks} title={title} end={end} onClose={() => setAsks(false)} />
    </>
  );
}
