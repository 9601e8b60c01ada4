import { invitationsApi } from '@knowhow/shared/access/invitations';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { call } from '../../api/call.ts';
import { endpointQueryFilter } from '../../api/query.ts';
import { DialogForm } from '../../ui/forms/dialog-form.tsx';
import { FirstField } from '../../ui/forms/first-field.tsx';
import { GroupChoice } from '../../ui/forms/group-choice.tsx';
import { LifetimeSelect } from '../../ui/forms/lifetime-select.tsx';

export type CreatedInvitation = z.output<typeof invitationsApi.create.response>;

interface InviteFormProps {
  onMade: (made: CreatedInvitation) => void;
  onCancel: () => void;
}

const lifetimes = [1, 7, 30];
const usualDays = 7;

/** Recipient, groups and lifetime of an invitation. */
export function InviteForm({ onMade, onCancel }: InviteFormProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [note, setNote] = useState('');
  const [groups, setGroups] = useState<string[]>([]);
  const [expiresInDays, setExpiresInDays] = useState(usualDays);
  const make = useMutation({
    mutationFn: () => call(invitationsApi.create, { body: { note, groups, expiresInDays } }),
    onSuccess: (made) => {
      onMade(made);
      void queryClient.invalidateQueries(endpointQueryFilter(invitationsApi.list));
    },
  });

  return (
    <DialogForm
      about={t('adminUsers.inviteAbout')}
      error={make.error}
      isBusy={make.isPending}
      submitLabel={t('adminUsers.inviteMake')}
      onSubmit={() => make.mutate()}
      onCancel={onCancel}
    >
      <FirstField
        label={t('adminUsers.inviteFor')}
        description={t('adminUsers.inviteForAbout')}
        maxLength={200}
        value={note}
        onChange={setNote}
      />
      <GroupChoice
        label={t('adminUsers.groups')}
        description={t('adminUsers.groupsAbout')}
        value={groups}
        onChange={setGroups}
      />
      <LifetimeSelect
        label={t('adminUsers.inviteExpires')}
        value={expiresInDays}
        choices={lifetimes}
        nameOf={(count) => t('adminUsers.inviteIn', { count })}
        onChange={(days) => setExpiresInDays(days ?? usualDays)}
      />
    </DialogForm>
  );
}
