import { connectionsApi, type ToolConnection } from '@knowhow/shared/connections';
import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { allItems } from '../../api/query.ts';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Section } from '../../ui/section.tsx';
import { useFormat } from '../../ui/use-format.ts';
import classes from './consents-dialog.module.css';

const connectionsQuery = allItems(connectionsApi.list, {});

/** The servers of tools that somebody is signed in to; nothing where there is none. */
export function Connections() {
  const { t } = useTranslation();
  const connections = useQuery({ ...connectionsQuery, staleTime: 0 });
  if (!connections.data?.length) {
    return null;
  }
  return (
    <Section title={t('connections.title')} text={t('connections.about')}>
      <ul className={classes.list}>
        {connections.data.map((connection) => (
          <ConnectionRow key={connection.server} connection={connection} />
        ))}
      </ul>
    </Section>
  );
}

function ConnectionRow({ connection }: { connection: ToolConnection }) {
  const { t } = useTranslation();
  const { relativeDate } = useFormat();
  const queryClient = useQueryClient();
  const { server, title, issuer, status, since } = connection;
  const params = { server };
  const begin = useMutation({ mutationFn: () => call(connectionsApi.begin, { params }) });
  const end = useMutation({
    mutationFn: () => call(connectionsApi.remove, { params }),
    onSuccess: () => queryClient.invalidateQueries(connectionsQuery),
  });
  const { url } = begin.data ?? {};
  const when = relativeDate(since);
  return (
    <li>
      <div className={classes.row}>
        <div className={classes.text}>
          <p className={classes.title}>{title}</p>
          <p className={classes.facts}>
            {issuer} ·{' '}
            {t(status === 'refused' ? 'connections.refused' : 'connections.since', { when })}
          </p>
        </div>
        <div className={classes.actions}>
          {status === 'refused' && !url && (
            <Button size="xs" loading={begin.isPending} onClick={() => begin.mutate()}>
              {t('connections.again')}
            </Button>
          )}
          {url && (
            <Button size="xs" component="a" href={url} target="_blank" rel="noopener noreferrer">
              {t('connections.open', { host: new URL(url).host })}
            </Button>
          )}
          <Button
            variant="default"
            size="xs"
            aria-label={t('connections.endOf', { title })}
            loading={end.isPending}
            onClick={() => end.mutate()}
          >
            {t('account.signOut')}
          </Button>
        </div>
      </div>
      {(begin.error ?? end.error) && <ErrorNote error={begin.error ?? end.error} />}
    </li>
  );
}
