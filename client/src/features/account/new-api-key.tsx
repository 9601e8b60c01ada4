import { apiKeysApi } from '@knowhow/shared/api-keys';
import { type KeyScope, keyScopes } from '@knowhow/shared/key-scopes';
import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { call } from '../../api/call.ts';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import '../../ui/mantine-fields.css';
import classes from './api-keys-dialog.module.css';

export type MadeKey = z.output<typeof apiKeysApi.create.response>;

interface NewApiKeyProps {
  onMade: (made: MadeKey) => void;
  onCancel: () => void;
}

const lifetimes = [7, 30, 90, 365];
const usualDays = 90;

/** What a new key is called, what it is good for and for how long. */
export function NewApiKey({ onMade, onCancel }: NewApiKeyProps) {
  const { t } = useTranslation();
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<KeyScope[]>(['chat']);
  const [days, setDays] = useState<number | undefined>(usualDays);
  const make = useMutation({
    mutationFn: () =>
      call(apiKeysApi.create, {
        body: { name, scopes, ...(days === undefined ? {} : { expiresInDays: days }) },
      }),
    onSuccess: onMade,
  });

  function onSubmit(event: SubmitEvent) {
    event.preventDefault();
    make.mutate();
  }

  return (
    <form className={classes.form} onSubmit={onSubmit}>
      {make.error && <ErrorNote error={make.error} />}
      <TextInput
        label={t('apiKeys.name')}
        description={t('apiKeys.nameAbout')}
        required
        withAsterisk={false}
        maxLength={100}
        data-autofocus
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Checkbox.Group
        label={t('apiKeys.goodFor')}
        value={scopes}
        onChange={(values) => setScopes(keyScopes.filter((scope) => values.includes(scope)))}
      >
        <div className={classes.scopes}>
          {keyScopes.map((scope) => (
            <Checkbox key={scope} value={scope} label={t(scopeTexts[scope])} />
          ))}
        </div>
      </Checkbox.Group>
      <NativeSelect
        label={t('apiKeys.expiry')}
        value={days ?? ''}
        onChange={({ currentTarget: { value } }) =>
          setDays(value === '' ? undefined : Number(value))
        }
      >
        {lifetimes.map((count) => (
          <option key={count} value={count}>
            {t('apiKeys.in', { count })}
          </option>
        ))}
        <option value="">{t('apiKeys.never')}</option>
      </NativeSelect>
      <div className={classes.actions}>
        <Button variant="default" onClick={onCancel}>
          {t('action.cancel')}
        </Button>
        <Button type="submit" loading={make.isPending} disabled={scopes.length === 0}>
          {t('apiKeys.create')}
        </Button>
      </div>
    </form>
  );
}

const scopeTexts = {
  chat: 'apiKeys.scopes.chat',
  skills: 'apiKeys.scopes.skills',
  mcp: 'apiKeys.scopes.mcp',
} as const;
