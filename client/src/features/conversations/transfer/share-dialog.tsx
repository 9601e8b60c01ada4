import type { ConversationSummary } from '@knowhow/shared/chat/conversations';
import { type Share, sharingApi } from '@knowhow/shared/chat/sharing';
import { Button, Checkbox, Modal, Skeleton } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { call } from '../../../api/call.ts';
import { endpointQueryFilter, query } from '../../../api/query.ts';
import { ErrorNote } from '../../../ui/text/error-note.tsx';
import '../../../ui/mantine-fields.css';
import { TextInput } from '@mantine/core';
import { EndShareDialog } from '../../../ui/end-share-dialog.tsx';
import { CopyButton } from '../../../ui/text/copy-button.tsx';
import { useFormat } from '../../../ui/text/use-format.ts';
import classes from './share-dialog.module.css';

type State = z.output<typeof sharingApi.get.response>;
type Choices = Pick<Share, 'files' | 'details' | 'isPublic'>;

interface ShareDialogProps {
  conversation: ConversationSummary;
  onClose: () => void;
}

/** The link of a conversation: contents and audience; create, update, disable. */
export function ShareDialog({ conversation: { id, title }, onClose }: ShareDialogProps) {
  const { t } = useTranslation();
  const state = useQuery({ ...query(sharingApi.get, { params: { id } }), staleTime: 0 });
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('share.title', { title })}
      closeButtonProps={{ 'aria-label': t('action.close') }}
      size="lg"
      centered
    >
      {state.error && !state.data && (
        <ErrorNote error={state.error} onRetry={() => state.refetch()} />
      )}
      {state.isPending && (
        <div role="status" aria-label={t('state.loading')}>
          <Skeleton height={160} />
        </div>
      )}
      {state.data && <Sharing id={id} state={state.data} />}
    </Modal>
  );
}

const nothingMore: Choices = { files: false, details: false, isPublic: false };

function Sharing({ id, state }: { id: string; state: State }) {
  const { t } = useTranslation();
  const { share, messages, isOutdated } = state;
  const queryClient = useQueryClient();
  const button = useRef<HTMLButtonElement>(null);
  const [choices, setChoices] = useState<Choices>(share ?? nothingMore);
  const { files, details, isPublic } = choices;
  const make = useMutation({
    mutationFn: () =>
      call(sharingApi.share, { params: { id }, body: { files, details, isPublic } }),
    onSuccess: () =>
      Promise.all(
        [sharingApi.get, sharingApi.list]
          .map(endpointQueryFilter)
          .map((filter) => queryClient.invalidateQueries(filter)),
      ),
  });
  const isOther =
    !share || share.files !== files || share.details !== details || share.isPublic !== isPublic;
  return (
    <div className={classes.body}>
      {share ? (
        <ShareLink share={share} isOutdated={isOutdated} onEnded={() => button.current?.focus()} />
      ) : (
        <p className={classes.about}>{t('share.about', { count: messages })}</p>
      )}
      <ShareChoices state={state} choices={choices} onChange={setChoices} />
      {make.error && <ErrorNote error={make.error} />}
      <div className={classes.actions}>
        <p className={classes.about} role="status">
          {make.isSuccess && !isOther ? t('share.updated') : t('share.endsToo')}
        </p>
        <Button
          ref={button}
          variant={isOther || isOutdated ? 'filled' : 'default'}
          loading={make.isPending}
          onClick={() => make.mutate()}
          data-autofocus
        >
          {t(share ? 'share.update' : 'share.create')}
        </Button>
      </div>
    </div>
  );
}

interface ShareChoicesProps {
  state: State;
  choices: Choices;
  onChange: (choices: Choices) => void;
}

/** The options of a link: additional content, and its audience. */
function ShareChoices({ state, choices, onChange }: ShareChoicesProps) {
  const { t } = useTranslation();
  const { extras, mayBePublic } = state;
  return (
    <div className={classes.choices}>
      {extras.includes('files') && (
        <Checkbox
          label={t('share.files')}
          description={t('share.filesAbout')}
          checked={choices.files}
          onChange={(event) => onChange({ ...choices, files: event.currentTarget.checked })}
        />
      )}
      {extras.includes('details') && (
        <Checkbox
          label={t('share.details')}
          description={t('share.detailsAbout')}
          checked={choices.details}
          onChange={(event) => onChange({ ...choices, details: event.currentTarget.checked })}
        />
      )}
      {(mayBePublic || choices.isPublic) && (
        <Checkbox
          label={t('share.public')}
          description={t('share.publicAbout')}
          checked={choices.isPublic}
          onChange={(event) => onChange({ ...choices, isPublic: event.currentTarget.checked })}
        />
      )}
    </div>
  );
}

interface ShareLinkProps {
  share: Share;
  isOutdated: boolean;
  /** Called when it has left the page. */
  onEnded: () => void;
}

/** An existing link, to copy or disable. */
function ShareLink({ share, isOutdated, onEnded }: ShareLinkProps) {
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
