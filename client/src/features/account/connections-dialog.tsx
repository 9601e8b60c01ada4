import { connectionsApi, type ToolConnection } from '@knowhow/shared/config/connections';
import { Button, Modal } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { query } from '../../api/query.ts';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import classes from './connections-dialog.module.css';

const connections = query(connectionsApi.list, { query: { limit: 200 } });

/** Tool servers with sign-in: the current connections and the available ones. */
export function ConnectionsDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const { data, error } = useQuery(connections);
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('account.connections')}
      closeButtonProps={{ 'aria-label': t('action.close') }}
      centered
    >
      <p className={classes.about}>
        {t(data?.items.length === 0 ? 'account.connection.none' : 'account.connection.about')}
      </p>
      {error && <ErrorNote error={error} />}
      <ul className={classes.list}>
        {data?.items.map((connection) => (
          <ConnectionRow
            key={`${connection.server} ${connection.issuer}`}
            connection={connection}
          />
        ))}
      </ul>
    </Modal>
  );
}

function ConnectionRow({ connection }: { connection: ToolConnection }) {
  const { t } = useTranslation();
  const { server, title, status, isOffered } = connection;
  const queryClient = useQueryClient();
  const params = { server };
  const connect = useMutation({
    mutationFn: () => call(connectionsApi.begin, { params }),
    onSuccess: ({ url }) => window.location.assign(url),
  });
  const disconnect = useMutation({
    mutationFn: () => call(connectionsApi.remove, { params }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: connections.queryKey }),
  });
  const failure = connect.error ?? disconnect.error;
  return (
    <li className={classes.row}>
      <span className={classes.words}>
        <strong>{title}</strong>
        <span className={classes.status}>{useStatusText(connection)}</span>
      </span>
      {isOffered && status !== 'signed-in' && (
        <Button
          size="xs"
          aria-label={t('account.connection.connectTo', { title })}
          loading={connect.isPending}
          onClick={() => connect.mutate()}
        >
          {t(
            status === 'signed-out'
              ? 'account.connection.connect'
              : 'account.connection.connectAgain',
          )}
        </Button>
      )}
      {status !== 'signed-out' && (
        <Button
          size="xs"
          variant="default"
          aria-label={t('account.connection.disconnectFrom', { title })}
          loading={disconnect.isPending}
          onClick={() => disconnect.mutate()}
        >
          {t('account.connection.disconnect')}
        </Button>
      )}
      {failure && <ErrorNote error={failure} />}
    </li>
  );
}

function useStatusText({ status, issuer = '', since }: ToolConnection): string {
  const { t, i18n } = useTranslation();
  if (status === 'signed-out') {
    return t('account.connection.notConnected');
  }
  if (status !== 'signed-in') {
    return t(signedOut[status], { issuer });
  }
  const date = since === undefined ? '' : new Date(since).toLocaleDateString(i18n.language);
  return t('account.connection.connected', { issuer, date });
}

const signedOut = {
  limited: 'account.connection.limited',
  refused: 'account.connection.refused',
} as const;
