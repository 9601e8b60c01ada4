import { type Invitation, invitationsApi } from '@knowhow/shared/access/invitations';
import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { allItems, endpointQueryFilter } from '../../api/query.ts';
import { CardTable } from '../../ui/layout/card-table.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import { useFormat } from '../../ui/text/use-format.ts';
import { useGroupNames } from '../../ui/text/use-group-names.ts';
import classes from './user-list.module.css';

const invitationsQuery = allItems(invitationsApi.list, {});

/** Open invitations; renders nothing if there are none. */
export function OpenInvitations() {
  const { t } = useTranslation();
  const { relativeDate } = useFormat();
  const groupNames = useGroupNames();
  const { data, error } = useQuery({ ...invitationsQuery, staleTime: 0 });
  if (error) {
    return <ErrorNote error={error} />;
  }
  if (!data?.length) {
    return null;
  }
  return (
    <div className={classes.invitations}>
      <Section title={t('adminUsers.invitations')}>
        <CardTable
          label={t('adminUsers.invitations')}
          rows={data}
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
  const takeBack = useMutation({
    mutationFn: () => call(invitationsApi.remove, { params: { id } }),
    onSettled: () => queryClient.invalidateQueries(endpointQueryFilter(invitationsApi.list)),
  });
  return (
    <Button
      variant="default"
      size="xs"
      aria-label={t('adminUsers.takeBackOf', { name: note })}
      loading={takeBack.isPending}
      onClick={() => takeBack.mutate()}
    >
      {t('adminUsers.takeBack')}
    </Button>
  );
}
