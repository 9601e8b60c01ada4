import { invitationsApi } from '@knowhow/shared/invitations';
import { Button, Group, MultiSelect, NativeSelect, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { call } from '../../api/call.ts';
import { everyQueryOf } from '../../api/query.ts';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import { useGroupNames } from '../../ui/text/use-group-names.ts';
import classes from './user-dialog.module.css';

export type MadeInvitation = z.output<typeof invitationsApi.create.response>;

interface InviteFormProps {
  onMade: (made: MadeInvitation) => void;
  onCancel: () => void;
}

const lifetimes = [1, 7, 30];
const usualDays = 7;

/** Whom an invitation is for, which groups they will be in, and how long it is good. */
export function InviteForm({ onMade, onCancel }: InviteFormProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const groupNames = useGroupNames();
  const [note, setNote] = useState('');
  const [groups, setGroups] = useState<string[]>([]);
  const [expiresInDays, setExpiresInDays] = useState(usualDays);
  const make = useMutation({
    mutationFn: () => call(invitationsApi.create, { body: { note, groups, expiresInDays } }),
    onSuccess: (made) => {
      onMade(made);
      void queryClient.invalidateQueries(everyQueryOf(invitationsApi.list));
    },
  });

  function onSubmit(event: SubmitEvent) {
    event.preventDefault();
    make.mutate();
  }

  return (
    <form className={classes.form} onSubmit={onSubmit}>
      <p className={classes.about}>{t('adminUsers.inviteAbout')}</p>
      {make.error && <ErrorNote error={make.error} />}
      <TextInput
        label={t('adminUsers.inviteFor')}
        description={t('adminUsers.inviteForAbout')}
        required
        withAsterisk={false}
        maxLength={200}
        autoComplete="off"
        data-autofocus
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      <MultiSelect
        label={t('adminUsers.groups')}
        description={t('adminUsers.groupsAbout')}
        data={[...groupNames].map(([value, label]) => ({ value, label }))}
        value={groups}
        onChange={setGroups}
        searchable
        hidePickedOptions
      />
      <NativeSelect
        label={t('adminUsers.inviteExpires')}
        value={expiresInDays}
        onChange={({ currentTarget }) => setExpiresInDays(Number(currentTarget.value))}
      >
        {lifetimes.map((count) => (
          <option key={count} value={count}>
            {t('adminUsers.inviteIn', { count })}
          </option>
        ))}
      </NativeSelect>
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onCancel}>
          {t('action.cancel')}
        </Button>
        <Button type="submit" loading={make.isPending}>
          {t('adminUsers.inviteMake')}
        </Button>
      </Group>
    </form>
  );
}
