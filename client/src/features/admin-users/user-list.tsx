import { everyRight } from '@knowhow/shared/access/admin-rights';
import { adminUsersApi, type User } from '@knowhow/shared/access/admin-users';
import { authApi } from '@knowhow/shared/access/auth';
import { invitationsApi } from '@knowhow/shared/access/invitations';
import { Button, Skeleton, UnstyledButton } from '@mantine/core';
import { IconKey, IconPlus, IconTrash } from '@tabler/icons-react';
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import type { z } from 'zod';
import { call } from '../../api/call.ts';
import { endpointQueryFilter, pages, query } from '../../api/query.ts';
import { useFocusBack } from '../../ui/focus/use-focus-back.ts';
import { DialogForm } from '../../ui/forms/dialog-form.tsx';
import { FirstField } from '../../ui/forms/first-field.tsx';
import { GroupChoice } from '../../ui/forms/group-choice.tsx';
import { LifetimeSelect } from '../../ui/forms/lifetime-select.tsx';
import { MakeDialog } from '../../ui/forms/make-dialog.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { CardTable } from '../../ui/layout/card-table.tsx';
import { EmptyState } from '../../ui/layout/empty-state.tsx';
import { PageFrame } from '../../ui/layout/page-frame.tsx';
import { SearchField } from '../../ui/layout/search-field.tsx';
import { MoreButton } from '../../ui/more-button.tsx';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import { useFormat } from '../../ui/text/use-format.ts';
import { useGroupNames } from '../../ui/text/use-group-names.ts';
import { useRightName } from '../../ui/text/use-right-name.ts';
import { DeleteUser } from './delete-user.tsx';
import { OpenInvitations } from './open-invitations.tsx';
import { type UserDeed, UserDialog } from './user-dialog.tsx';
import classes from './user-list.module.css';

/** All accounts. */
export function UserList() {
  const { t } = useTranslation();
  const [wanted] = useSearchParams();
  const [search, setSearch] = useState(wanted.get('query') ?? '');
  const [isOpen, setOpen] = useState(false);
  const [leaving, setLeaving] = useState<User>();
  const [isLeaving, setIsLeaving] = useState(false);
  const [isInviting, setIsInviting] = useState(false);
  useFocusBack(isLeaving);
  const [deed, setDeed] = useState<UserDeed>({ deed: 'add' });
  const list = useInfiniteQuery(
    pages(adminUsersApi.list, { query: search ? { query: search } : {} }),
  );
  const users = list.data?.pages.flatMap((page) => page.items) ?? [];

  function begin(wanted: UserDeed) {
    setDeed(wanted);
    setOpen(true);
  }

  return (
    <PageFrame
      title={t('adminPages.users')}
      description={t('adminUsers.about')}
      actions={
        <>
          <Button variant="default" onClick={() => setIsInviting(true)}>
            {t('adminUsers.invite')}
          </Button>
          <Button
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => begin({ deed: 'add' })}
          >
            {t('adminUsers.add')}
          </Button>
        </>
      }
    >
      <div className={classes.filters}>
        <SearchField label={t('adminUsers.search')} value={search} onChange={setSearch} />
      </div>
      {list.error && <ErrorNote error={list.error} />}
      {list.isPending && <Skeleton height={176} />}
      {list.data && users.length === 0 && (
        <EmptyState
          title={t('adminUsers.nothing', { search })}
          text={t('adminUsers.nothingAbout')}
        />
      )}
      {users.length > 0 && (
        <UserTable
          users={users}
          onEdit={(user) => begin({ deed: 'edit', user })}
          onReset={(user) => begin({ deed: 'reset', user })}
          onDelete={(user) => {
            setLeaving(user);
            setIsLeaving(true);
          }}
        />
      )}
      <MoreButton list={list} />
      <OpenInvitations />
      <InviteDialog opened={isInviting} onClose={() => setIsInviting(false)} />
      <UserDialog deed={deed} opened={isOpen} onClose={() => setOpen(false)} />
      {leaving && (
        <DeleteUser user={leaving} opened={isLeaving} onClose={() => setIsLeaving(false)} />
      )}
    </PageFrame>
  );
}

interface UserTableProps {
  users: User[];
  onEdit: (user: User) => void;
  onReset: (user: User) => void;
  onDelete: (user: User) => void;
}

function UserTable({ users, onEdit, onReset, onDelete }: UserTableProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const groupNames = useGroupNames();
  const me = useQuery(query(authApi.me, {}));

  function namesOf({ groups, directory }: User): string {
    const all = [...new Set([...groups, ...(directory?.groups ?? [])])];
    return all.map((id) => groupNames.get(id) ?? id).join(', ') || t('adminUsers.noGroups');
  }

  return (
    <CardTable
      label={t('adminPages.users')}
      rows={users}
      keyOf={({ id }) => id}
      head={{
        label: t('adminUsers.name'),
        render: (user) => (
          <>
            <UnstyledButton className={classes.name} onClick={() => onEdit(user)}>
              {user.name}
            </UnstyledButton>
            <span className={classes.username}>
              {[user.username, user.directory?.title].filter(Boolean).join(' · ')}
            </span>
          </>
        ),
      }}
      columns={[
        { label: t('adminUsers.groups'), render: namesOf },
        { label: t('adminUsers.state'), render: (user) => <UserState user={user} /> },
        { label: t('adminUsers.since'), render: ({ createdAt }) => format.relativeDate(createdAt) },
      ]}
      action={{
        label: t('adminUsers.actions'),
        render: (user) => (
          <div className={classes.actions}>
            {!user.directory && (
              <IconButton
                label={t('adminUsers.resetOf', { name: user.name })}
                icon={<IconKey size={18} />}
                onClick={() => onReset(user)}
              />
            )}
            {user.id !== me.data?.id && (
              <IconButton
                label={t('adminUsers.deleteOf', { name: user.name })}
                icon={<IconTrash size={18} />}
                onClick={() => onDelete(user)}
              />
            )}
          </div>
        ),
      }}
    />
  );
}

function UserState({ user }: { user: User }) {
  const { t, i18n } = useTranslation();
  const nameOf = useRightName();
  const rights = new Intl.ListFormat(i18n.language, { type: 'unit' });
  if (user.disabled) {
    return (
      <span className={classes.state} data-off>
        {t('adminUsers.disabled')}
      </span>
    );
  }
  const isPartly = user.isAdmin && !user.adminRights?.includes(everyRight);
  return (
    <span className={classes.state} data-admin={user.isAdmin || undefined}>
      {user.isAdmin ? t('adminUsers.admin') : t('adminUsers.user')}
      {isPartly && <small>{rights.format((user.adminRights ?? []).map(nameOf))}</small>}
    </span>
  );
}

interface InviteDialogProps {
  opened: boolean;
  onClose: () => void;
}

/** Creates an invitation link and shows it once. */
function InviteDialog(props: InviteDialogProps) {
  const { t } = useTranslation();
  return (
    <MakeDialog<CreatedInvitation>
      {...props}
      title={t('adminUsers.invite')}
      form={(onMade, onCancel) => <InviteForm onMade={onMade} onCancel={onCancel} />}
      shown={({ path, details: { note: name } }) => ({
        ...{ label: t('adminUsers.inviteLink', { name }), text: location.origin + path },
        ...{ about: t('adminUsers.inviteOnce'), done: t('adminUsers.done') },
      })}
    />
  );
}

type CreatedInvitation = z.output<typeof invitationsApi.create.response>;

interface InviteFormProps {
  onMade: (made: CreatedInvitation) => void;
  onCancel: () => void;
}

const lifetimes = [1, 7, 30];

const usualDays = 7;

/** Recipient, groups and lifetime of an invitation. */
function InviteForm({ onMade, onCancel }: InviteFormProps) {
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
