import { type ServiceKeyScope, serviceKeyScopes } from '@knowhow/shared/access/key-scopes';
import type { Quota } from '@knowhow/shared/access/quotas';
import { type ServiceKey, serviceKeysApi } from '@knowhow/shared/access/service-keys';
import { Button, NumberInput, Skeleton } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { call } from '../../api/call.ts';
import { endpointQueryFilter, pages } from '../../api/query.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { DialogForm } from '../../ui/forms/dialog-form.tsx';
import { FirstField } from '../../ui/forms/first-field.tsx';
import { GroupChoice } from '../../ui/forms/group-choice.tsx';
import { LifetimeSelect } from '../../ui/forms/lifetime-select.tsx';
import { MakeDialog } from '../../ui/forms/make-dialog.tsx';
import { QuotaFieldset } from '../../ui/forms/quota-fieldset.tsx';
import { ScopeChoice } from '../../ui/forms/scope-choice.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { CardTable } from '../../ui/layout/card-table.tsx';
import { EmptyState } from '../../ui/layout/empty-state.tsx';
import { PageFrame } from '../../ui/layout/page-frame.tsx';
import { MoreButton } from '../../ui/more-button.tsx';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import { useFormat } from '../../ui/text/use-format.ts';
import { useGroupNames } from '../../ui/text/use-group-names.ts';
import classes from './admin-keys.module.css';

/** Service API keys, which belong to no user. */
export function KeyList() {
  const { t } = useTranslation();
  const [isAdding, setIsAdding] = useState(false);
  const [leaving, setLeaving] = useState<ServiceKey>();
  const [isLeaving, setIsLeaving] = useState(false);
  const list = useInfiniteQuery(pages(serviceKeysApi.list, {}));
  const keys = list.data?.pages.flatMap((page) => page.items) ?? [];
  const add = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setIsAdding(true)}>
      {t('adminKeys.new')}
    </Button>
  );
  return (
    <PageFrame title={t('adminPages.keys')} description={t('adminKeys.about')} actions={add}>
      {list.error && <ErrorNote error={list.error} onRetry={() => list.refetch()} />}
      {list.isPending && <Skeleton height={176} />}
      {list.data && keys.length === 0 && (
        <EmptyState title={t('adminKeys.empty')} text={t('adminKeys.emptyAbout')} />
      )}
      {keys.length > 0 && (
        <KeyTable
          keys={keys}
          onRevoke={(key) => {
            setLeaving(key);
            setIsLeaving(true);
          }}
        />
      )}
      <MoreButton list={list} />
      <NewKeyDialog opened={isAdding} onClose={() => setIsAdding(false)} />
      {leaving && (
        <RevokeKey details={leaving} opened={isLeaving} onClose={() => setIsLeaving(false)} />
      )}
    </PageFrame>
  );
}

function KeyTable({ keys, onRevoke }: { keys: ServiceKey[]; onRevoke: (key: ServiceKey) => void }) {
  const { t } = useTranslation();
  const { relativeDate } = useFormat();
  const groupNames = useGroupNames();

  function expiryOf({ expiresAt }: ServiceKey): string {
    if (expiresAt === undefined) {
      return t('adminKeys.never');
    }
    return Date.parse(expiresAt) <= Date.now() ? t('adminKeys.expired') : relativeDate(expiresAt);
  }

  return (
    <CardTable
      label={t('adminPages.keys')}
      rows={keys}
      keyOf={({ id }) => id}
      head={{
        label: t('adminKeys.name'),
        render: ({ name, prefix, createdBy, creatorLostRights }) => (
          <>
            <span className={classes.name}>{name}</span>
            <code className={classes.prefix}>{prefix}…</code>
            {creatorLostRights && (
              <span className={classes.warning}>
                {t('adminKeys.creatorLostRights', { name: createdBy })}
              </span>
            )}
          </>
        ),
      }}
      columns={[
        {
          label: t('adminKeys.groups'),
          render: ({ groups }) => groups.map((id) => groupNames.get(id) ?? id).join(', '),
        },
        {
          label: t('adminKeys.goodFor'),
          render: ({ scopes }) => scopes.map((scope) => t(scopeNames[scope])).join(', '),
        },
        {
          label: t('adminKeys.used'),
          render: ({ lastUsedAt }) =>
            lastUsedAt === undefined ? t('adminKeys.unused') : relativeDate(lastUsedAt),
        },
        { label: t('adminKeys.expires'), render: expiryOf },
      ]}
      action={{
        label: t('adminKeys.actions'),
        render: (key) => (
          <IconButton
            label={t('adminKeys.revokeOf', { name: key.name })}
            icon={<IconTrash size={18} />}
            onClick={() => onRevoke(key)}
          />
        ),
      }}
    />
  );
}

interface NewKeyDialogProps {
  opened: boolean;
  onClose: () => void;
}

/** Creates a service API key and shows it once. */
function NewKeyDialog(props: NewKeyDialogProps) {
  const { t } = useTranslation();
  return (
    <MakeDialog<CreatedServiceKey>
      {...props}
      title={t('adminKeys.new')}
      form={(onMade, onCancel) => <NewKeyForm onMade={onMade} onCancel={onCancel} />}
      shown={({ key, details: { name } }) => ({
        ...{ label: t('adminKeys.made', { name }), text: key },
        ...{ about: t('adminKeys.once'), done: t('adminKeys.copied') },
      })}
    />
  );
}

interface RevokeKeyProps {
  details: ServiceKey;
  opened: boolean;
  onClose: () => void;
}

/** Revokes a key after naming what is lost. */
function RevokeKey({ details: { id, name }, opened, onClose }: RevokeKeyProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const revoke = useMutation({
    mutationFn: () => call(serviceKeysApi.remove, { params: { id } }),
    onSuccess: async () => {
      await queryClient.invalidateQueries(endpointQueryFilter(serviceKeysApi.list));
      onClose();
    },
  });
  return (
    <ConfirmDialog
      opened={opened}
      title={t('adminKeys.revokeAsk', { name })}
      confirmLabel={t('adminKeys.revoke')}
      typed={name}
      isBusy={revoke.isPending}
      error={revoke.error}
      onConfirm={() => revoke.mutate()}
      onClose={onClose}
    >
      {t('adminKeys.revokeAbout')}
    </ConfirmDialog>
  );
}

type CreatedServiceKey = z.output<typeof serviceKeysApi.create.response>;

interface NewKeyFormProps {
  onMade: (made: CreatedServiceKey) => void;
  onCancel: () => void;
}

const lifetimes = [30, 90, 365];
const usualDays = 365;

/** Name, groups, scopes and lifetime of a new key. */
function NewKeyForm({ onMade, onCancel }: NewKeyFormProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [name, setName] = useState('');
  const [groups, setGroups] = useState<string[]>([]);
  const [scopes, setScopes] = useState<ServiceKeyScope[]>(['chat']);
  const [days, setDays] = useState<number | undefined>(usualDays);
  const [quota, setQuota] = useState<Quota>({});
  const make = useMutation({
    mutationFn: () =>
      call(serviceKeysApi.create, {
        body: { name, groups, scopes, expiresInDays: days, quota: omitUnsetLimits(quota) },
      }),
    onSuccess: (made) => {
      onMade(made);
      void queryClient.invalidateQueries(endpointQueryFilter(serviceKeysApi.list));
    },
  });

  return (
    <DialogForm
      error={make.error}
      isBusy={make.isPending}
      isIncomplete={scopes.length === 0 || groups.length === 0}
      submitLabel={t('adminKeys.create')}
      onSubmit={() => make.mutate()}
      onCancel={onCancel}
    >
      <FirstField
        label={t('adminKeys.name')}
        description={t('adminKeys.nameAbout')}
        maxLength={100}
        value={name}
        onChange={setName}
      />
      <GroupChoice
        label={t('adminKeys.groups')}
        description={t('adminKeys.groupsAbout')}
        value={groups}
        onChange={setGroups}
      />
      <ScopeChoice
        label={t('adminKeys.goodFor')}
        choices={serviceKeyScopes}
        nameOf={(scope) => t(scopeNames[scope])}
        value={scopes}
        onChange={setScopes}
      />
      <LifetimeSelect
        label={t('adminKeys.expires')}
        value={days}
        choices={lifetimes}
        nameOf={(count) => t('adminKeys.in', { count })}
        never={t('adminKeys.never')}
        onChange={setDays}
      />
      <QuotaInputs quota={quota} onChange={setQuota} />
    </DialogForm>
  );
}

/** Undefined if empty. */
function omitUnsetLimits(quota: Quota): Quota | undefined {
  return Object.values(quota).some((value) => value !== undefined) ? quota : undefined;
}

interface QuotaInputsProps {
  quota: Quota;
  onChange: (quota: Quota) => void;
}

/** Quota of a key. An empty field uses the platform default. */
function QuotaInputs({ quota, onChange }: QuotaInputsProps) {
  const { t } = useTranslation();
  return (
    <QuotaFieldset
      label={t('adminKeys.quota')}
      description={t('adminKeys.quotaAbout')}
      field={(name, label) => (
        <NumberInput
          label={label}
          allowNegative={false}
          allowDecimal={false}
          inputMode="numeric"
          hideControls
          value={quota[name] ?? ''}
          onChange={(value) => onChange({ ...quota, [name]: parseLimit(value) })}
        />
      )}
    />
  );
}

function parseLimit(value: number | string): number | undefined {
  const number = value === '' ? Number.NaN : Number(value);
  return Number.isSafeInteger(number) ? number : undefined;
}

/** Labels of the scopes of a key. */
const scopeNames = {
  chat: 'adminKeys.scopes.chat',
  skills: 'adminKeys.scopes.skills',
  mcp: 'adminKeys.scopes.mcp',
} as const;
