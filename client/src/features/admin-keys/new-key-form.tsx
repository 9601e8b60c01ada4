import type { KeyScope } from '@knowhow/shared/access/key-scopes';
import type { Quota } from '@knowhow/shared/access/quotas';
import { serviceKeysApi } from '@knowhow/shared/access/service-keys';
import { NumberInput } from '@mantine/core';
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
import { QuotaFieldset } from '../../ui/forms/quota-fieldset.tsx';
import { ScopeChoice } from '../../ui/forms/scope-choice.tsx';
import { scopeNames } from './scope-names.ts';

export type CreatedServiceKey = z.output<typeof serviceKeysApi.create.response>;

interface NewKeyFormProps {
  onMade: (made: CreatedServiceKey) => void;
  onCancel: () => void;
}

const lifetimes = [30, 90, 365];
const usualDays = 365;

/** Name, groups, scopes and lifetime of a new key. */
export function NewKeyForm({ onMade, onCancel }: NewKeyFormProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [name, setName] = useState('');
  const [groups, setGroups] = useState<string[]>([]);
  const [scopes, setScopes] = useState<KeyScope[]>(['chat']);
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
