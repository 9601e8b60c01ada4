import { type ApiKey, apiKeysApi } from '@knowhow/shared/access/api-keys';
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { useFormat } from '../../ui/text/use-format.ts';
import list from './account-list.module.css';

interface ApiKeyRowProps {
  details: ApiKey;
  onRevoked: () => unknown;
}

/** An API key, identified by its name and prefix, with a button to revoke it. */
export function ApiKeyRow({ details, onRevoked }: ApiKeyRowProps) {
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
