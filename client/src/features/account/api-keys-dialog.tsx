import { holdsRight } from '@knowhow/shared/access/admin-rights';
import { apiKeysApi } from '@knowhow/shared/access/api-keys';
import { authApi } from '@knowhow/shared/access/auth';
import { type KeyScope, keyScopes, serviceKeyScopes } from '@knowhow/shared/access/key-scopes';
import { Button, Modal, Skeleton } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { call } from '../../api/call.ts';
import { query } from '../../api/query.ts';
import { DialogForm } from '../../ui/forms/dialog-form.tsx';
import { FirstField } from '../../ui/forms/first-field.tsx';
import { LifetimeSelect } from '../../ui/forms/lifetime-select.tsx';
import { OneTimeSecret } from '../../ui/forms/shown-once.tsx';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import list from './account-list.module.css';
import classes from './api-keys-dialog.module.css';
import '../../ui/mantine-fields.css';
import type { ApiKey } from '@knowhow/shared/access/api-keys';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { ScopeChoice } from '../../ui/forms/scope-choice.tsx';
import { useFormat } from '../../ui/text/use-format.ts';

interface ApiKeyRowProps {
  details: ApiKey;
  onRevoked: () => unknown;
}

/** An API key, identified by its name and prefix, with a button to revoke it. */
function ApiKeyRow({ details, onRevoked }: ApiKeyRowProps) {
  const { t } = useTranslation();
  const { id, name, prefix, scopes } = details;
  const [asks, setAsks] = useState(false);
  const revoke = useMutation({
    mutationFn: () => call(apiKeysApi.remove, { params: { id } }),
    onSuccess: onRevoked,
  });
  const goodFor = scopes.map((scope) => t(scopeNames[scope])).join(', ');
  return (
    <li>
      <div className={list.row}>
        <div className={list.text}>
          <p className={list.title}>
            {name} <code>{prefix}…</code>
          </p>
          <p className={list.facts}>{[goodFor, ...useTimes(details)].join(' · ')}</p>
        </div>
        <Button
          variant="default"
          size="xs"
          aria-label={t('apiKeys.revokeOf', { name })}
          onClick={() => setAsks(true)}
        >
          {t('apiKeys.revoke')}
        </Button>
      </div>
      <ConfirmDialog
        opened={asks}
        title={t('apiKeys.revokeAsk', { name })}
        confirmLabel={t('apiKeys.revoke')}
        isBusy={revoke.isPending}
        error={revoke.error}
        onConfirm={() => revoke.mutate()}
        onClose={() => setAsks(false)}
      >
        {t('apiKeys.revokeAbout')}
      </ConfirmDialog>
    </li>
  );
}

const scopeNames = {
  chat: 'apiKeys.scopeNames.chat',
  skills: 'apiKeys.scopeNames.skills',
  authoring: 'apiKeys.scopeNames.authoring',
  mcp: 'apiKeys.scopeNames.mcp',
} as const;

/** When it was last used, and when it expires. */
function useTimes({ lastUsedAt, expiresAt }: ApiKey): string[] {
  const { t } = useTranslation();
  const { relativeDate } = useFormat();
  const used = lastUsedAt
    ? t('apiKeys.used', { when: relativeDate(lastUsedAt) })
    : t('apiKeys.unused');
  if (expiresAt === undefined) {
    return [used, t('apiKeys.neverExpires')];
  }
  const isOver = Date.parse(expiresAt) <= Date.now();
  return [
    used,
    isOver ? t('apiKeys.expired') : t('apiKeys.expires', { when: relativeDate(expiresAt) }),
  ];
}

type CreatedApiKey = z.output<typeof apiKeysApi.create.response>;

interface NewApiKeyProps {
  onMade: (made: CreatedApiKey) => void;
  onCancel: () => void;
}

const lifetimes = [7, 30, 90, 365];

const usualDays = 90;

/** Name, scopes and lifetime of a new key. */
function NewApiKey({ onMade, onCancel }: NewApiKeyProps) {
  const { t } = useTranslation();
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<KeyScope[]>(['chat']);
  const isAuthor = useIsAuthor();
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
        choices={isAuthor ? keyScopes : serviceKeyScopes}
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

/** Whether the user may write skills of the organisation. */
function useIsAuthor(): boolean {
  const { adminRights = [] } = useQuery(query(authApi.me, {})).data ?? {};
  return holdsRight(adminRights, ['skills', 'skill-author']);
}

const scopeTexts = {
  chat: 'apiKeys.scopes.chat',
  skills: 'apiKeys.scopes.skills',
  authoring: 'apiKeys.scopes.authoring',
  mcp: 'apiKeys.scopes.mcp',
} as const;

const keysQuery = query(apiKeysApi.list, { query: { limit: 200 } });

type Step = { kind: 'list' } | { kind: 'new' } | { kind: 'made'; made: CreatedApiKey };

/** The user's API keys: the list, a form for a new one, and the new key, shown once. */
export function ApiKeysDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [step, setStep] = useState<Step>({ kind: 'list' });
  const refresh = () => queryClient.invalidateQueries(keysQuery);
  const toList = () => setStep({ kind: 'list' });
  return (
    <Modal
      opened
      onClose={onClose}
      // A click outside the dialog would lose a key that is shown once.
      closeOnClickOutside={step.kind !== 'made'}
      title={t(step.kind === 'new' ? 'apiKeys.new' : 'account.apiKeys')}
      closeButtonProps={{ 'aria-label': t('action.close') }}
      size="lg"
      centered
    >
      {step.kind === 'list' && (
        <KeyList onChange={refresh} onNew={() => setStep({ kind: 'new' })} />
      )}
      {step.kind === 'new' && (
        <NewApiKey
          onCancel={toList}
          onMade={(made) => {
            setStep({ kind: 'made', made });
            void refresh();
          }}
        />
      )}
      {step.kind === 'made' && <ShownApiKey made={step.made} onDone={toList} />}
    </Modal>
  );
}

function KeyList({ onChange, onNew }: { onChange: () => unknown; onNew: () => void }) {
  const { t } = useTranslation();
  const keys = useQuery({ ...keysQuery, staleTime: 0 });
  const items = keys.data?.items;
  return (
    <>
      <p className={list.about}>
        {t('apiKeys.about')} {items?.length === 0 && t('apiKeys.empty')}
      </p>
      <Button className={classes.new} onClick={onNew}>
        {t('apiKeys.new')}
      </Button>
      {keys.error && !items && <ErrorNote error={keys.error} onRetry={() => keys.refetch()} />}
      {keys.isPending && (
        <div role="status" aria-label={t('state.loading')}>
          <Skeleton height={96} />
        </div>
      )}
      <ul className={list.list}>
        {items?.map((key) => (
          <ApiKeyRow key={key.id} details={key} onRevoked={onChange} />
        ))}
      </ul>
    </>
  );
}

interface ShownApiKeyProps {
  made: CreatedApiKey;
  onDone: () => void;
}

/** A new API key, shown only once. */
function ShownApiKey({ made, onDone }: ShownApiKeyProps) {
  const { t } = useTranslation();
  return (
    <OneTimeSecret
      label={t('apiKeys.made', { name: made.details.name })}
      text={made.key}
      about={t('apiKeys.once')}
      done={t('apiKeys.copied')}
      onDone={onDone}
    />
  );
}
