import { type Invitation, invitationsApi } from '@knowhow/shared/access/invitations';
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { allItems, endpointQueryFilter } from '../../api/query.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { useFocusAfter } from '../../ui/focus/use-focus-after.ts';
import { useFocusSuccessor } from '../../ui/focus/use-focus-successor.ts';
import { CardTable } from '../../ui/layout/card-table.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import { useFormat } from '../../ui/text/use-format.ts';
import { useGroupNames } from '../../ui/text/use-group-names.ts';
import classes from './user-list.module.css';

const invitationsQuery = allItems(invitationsApi.list, {});

/** Open invitations; renders nothing if there are none. */
export function OpenInvitations() {
  const { data, error } = useQuery({ ...invitationsQuery, staleTime: 0 });
  const isShown = data !== undefined && data.length > 0;
  useFocusAfter(isShown);
  if (error) {
    return <ErrorNote error={error} />;
  }
  return isShown ? <InvitationTable invitations={data} /> : null;
}

function InvitationTable({ invitations }: { invitations: readonly Invitation[] }) {
  const { t } = useTranslation();
  const { relativeDate } = useFormat();
  const groupNames = useGroupNames();
  const list = useRef<HTMLDivElement>(null);
  useFocusSuccessor(list);
  return (
    <div ref={list} className={classes.invitations}>
      <Section title={t('adminUsers.invitations')}>
        <CardTable
          label={t('adminUsers.invitations')}
          rows={invitations}
          keyOf={({ id }) => id}
          head={{ label: t('adminUsers.inviteFor'), render: ({ note }) => note }}
          columns={[
            {
              label: t('adminUsers.groups'),
              render: ({ groups }) =>
                groups.map((id) => groupNames.get(id) ?? id).join(', ') || t('adminUsers.noGroups'),
            },
            { label: t('adminUsers.invitedBy'), render: ({ createdBy }) => createdBy },
            {
              label: t('adminUsers.inviteExpires'),
              render: ({ expiresAt, isVoid }) =>
                isVoid ? (
                  <span className={classes.state} data-off>
                    {t('adminUsers.inviteVoid')}
                    <small>{t('adminUsers.inviteVoidAbout')}</small>
                  </span>
                ) : (
                  relativeDate(expiresAt)
                ),
            },
          ]}
          action={{
            label: t('adminUsers.actions'),
            render: (invitation) => <TakeBack invitation={invitation} />,
          }}
        />
      </Section>
    </div>
  );
}

function TakeBack({ invitation: { id, note } }: { invitation: Invitation }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [asks, setAsks] = useState(false);
  const takeBack = useMutation({
    mutationFn: () => call(invitationsApi.remove, { params: { id } }),
    onSuccess: () =>
      notifications.show({
        message: t('adminUsers.tookBack', { name: note }),
        closeButtonProps: { 'aria-label': t('action.close') },
      }),
    onSettled: () => queryClient.invalidateQueries(endpointQueryFilter(invitationsApi.list)),
  });
  return (
    <>
      <Button
        variant="default"
        size="xs"
        aria-label={t('adminUsers.takeBackOf', { name: note })}
        onClick={() => setAsks(true)}
      >
        {t('adminUsers.takeBack')}
      </Button>
      <ConfirmDialog
        opened={asks}
        title={t('adminUsers.takeBackAsk', { name: note })}
        confirmLabel={t('adminUsers.takeBack')}
        isBusy={takeBack.isPending}
        error={takeBack.error}
        onConfirm={() => takeBack.mutate()}
        onClose={() => setAsks(false)}
      >
        {t('adminUsers.takeBackAbout')}
      </ConfirmDialog>
    </>
  );
}
