import { type KeyScope, keyScopes } from '@knowhow/shared/key-scopes';
import type { Quota } from '@knowhow/shared/quotas';
import { serviceKeysApi } from '@knowhow/shared/service-keys';
import { Button, Checkbox, MultiSelect, NativeSelect, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { call } from '../../api/call.ts';
import { everyQueryOf } from '../../api/query.ts';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import { useGroupNames } from '../../ui/text/use-group-names.ts';
import classes from './admin-keys.module.css';
import { QuotaInputs } from './quota-inputs.tsx';
import { scopeNames } from './scope-names.ts';

export type MadeKey = z.output<typeof serviceKeysApi.create.response>;

interface NewKeyFormProps {
  onMade: (made: MadeKey) => void;
  onCancel: () => void;
}

const lifetimes = [30, 90, 365];
const usualDays = 365;

/** What a new key is called, which groups it is in, what it is good for and for how long. */
export function NewKeyForm({ onMade, onCancel }: NewKeyFormProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const groupNames = useGroupNames();
  const [name, setName] = useState('');
  const [groups, setGroups] = useState<string[]>([]);
  const [scopes, setScopes] = useState<KeyScope[]>(['chat']);
  const [days, setDays] = useState<number | undefined>(usualDays);
  const [quota, setQuota] = useState<Quota>({});
  const make = useMutation({
    mutationFn: () =>
      call(serviceKeysApi.create, {
        body: { name, groups, scopes, expiresInDays: days, quota: saidIn(quota) },
      }),
    onSuccess: (made) => {
      onMade(made);
      void queryClient.invalidateQueries(everyQueryOf(serviceKeysApi.list));
    },
  });

  function onSubmit(event: SubmitEvent) {
    event.preventDefault();
    make.mutate();
  }

  return (
    <form className={classes.form} onSubmit={onSubmit}>
      {make.error && <ErrorNote error={make.error} />}
      <TextInput
        label={t('adminKeys.name')}
        description={t('adminKeys.nameAbout')}
        required
        withAsterisk={false}
        maxLength={100}
        autoComplete="off"
        data-autofocus
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <MultiSelect
        label={t('adminKeys.groups')}
        description={t('adminKeys.groupsAbout')}
        data={[...groupNames].map(([value, label]) => ({ value, label }))}
        value={groups}
        onChange={setGroups}
        searchable
        hidePickedOptions
      />
      <ScopeChoice scopes={scopes} onChange={setScopes} />
      <NativeSelect
        label={t('adminKeys.expires')}
        value={days ?? ''}
        onChange={({ currentTarget: { value } }) =>
          setDays(value === '' ? undefined : Number(value))
        }
      >
        {lifetimes.map((count) => (
          <option key={count} value={count}>
            {t('adminKeys.in', { count })}
          </option>
        ))}
        <option value="">{t('adminKeys.never')}</option>
      </NativeSelect>
      <QuotaInputs quota={quota} onChange={setQuota} />
      <div className={classes.actions}>
        <Button variant="default" onClick={onCancel}>
          {t('action.cancel')}
        </Button>
        <Button
          type="submit"
          loading={make.isPending}
          disabled={scopes.length === 0 || groups.length === 0}
        >
          {t('adminKeys.create')}
        </Button>
      </div>
    </form>
  );
}

/** Undefined where nothing is said. */
function saidIn(quota: Quota): Quota | undefined {
  return Object.values(quota).some((value) => value !== undefined) ? quota : undefined;
}

interface ScopeChoiceProps {
  scopes: KeyScope[];
  onChange: (scopes: KeyScope[]) => void;
}

function ScopeChoice({ scopes, onChange }: ScopeChoiceProps) {
  const { t } = useTranslation();
  return (
    <Checkbox.Group
      label={t('adminKeys.goodFor')}
      value={scopes}
      onChange={(values) => onChange(keyScopes.filter((scope) => values.includes(scope)))}
    >
      <div className={classes.scopes}>
        {keyScopes.map((scope) => (
          <Checkbox key={scope} value={scope} label={t(scopeNames[scope])} />
        ))}
      </div>
    </Checkbox.Group>
  );
}
