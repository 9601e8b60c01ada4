import { apiKeysApi } from '@knowhow/shared/access/api-keys';
import type { KeyScope } from '@knowhow/shared/access/key-scopes';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { call } from '../../api/call.ts';
import { DialogForm } from '../../ui/forms/dialog-form.tsx';
import { FirstField } from '../../ui/forms/first-field.tsx';
import { LifetimeSelect } from '../../ui/forms/lifetime-select.tsx';
import '../../ui/mantine-fields.css';
import { ScopeChoice } from '../../ui/forms/scope-choice.tsx';

export type CreatedApiKey = z.output<typeof apiKeysApi.create.response>;

interface NewApiKeyProps {
  onMade: (made: CreatedApiKey) => void;
  onCancel: () => void;
}

const lifetimes = [7, 30, 90, 365];
const usualDays = 90;

/** Name, scopes and lifetime of a new key. */
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

  return (
    <DialogForm
      error={make.error}
      isBusy={make.isPending}
      isIncomplete={scopes.length === 0}
      submitLabel={t('apiKeys.create')}
      onSubmit={() => make.mutate()}
      onCancel={onCancel}
    >
      <FirstField
        label={t('apiKeys.name')}
        description={t('apiKeys.nameAbout')}
        maxLength={100}
        value={name}
        onChange={setName}
      />
      <ScopeChoice
        label={t('apiKeys.goodFor')}
        nameOf={(scope) => t(scopeTexts[scope])}
        value={scopes}
        onChange={setScopes}
      />
      <LifetimeSelect
        label={t('apiKeys.expiry')}
        value={days}
        choices={lifetimes}
        nameOf={(count) => t('apiKeys.in', { count })}
        never={t('apiKeys.never')}
        onChange={setDays}
      />
    </DialogForm>
  );
}

const scopeTexts = {
  chat: 'apiKeys.scopes.chat',
  skills: 'apiKeys.scopes.skills',
  mcp: 'apiKeys.scopes.mcp',
} as const;
