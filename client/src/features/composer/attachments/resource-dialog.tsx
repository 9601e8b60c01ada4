import { type ResourceServer, resourcesApi } from '@knowhow/shared/chat/resources';
import { Loader, Modal, Skeleton, TextInput, UnstyledButton } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/call.ts';
import { query } from '../../../api/query.ts';
import { ErrorNote } from '../../../ui/text/error-note.tsx';
import { useFormat } from '../../../ui/text/use-format.ts';
import classes from './resource-dialog.module.css';
import type { Attachments } from './use-attachments.ts';

interface ResourceDialogProps {
  appId: string;
  attachments: Attachments;
  onClose: () => void;
}

/** Selects a server resource, which is then read and attached. */
export function ResourceDialog({ appId, attachments, onClose }: ResourceDialogProps) {
  const { t } = useTranslation();
  const [search, setSearch] = useState('');
  const params = { appId };
  const { data, error, refetch } = useQuery({
    ...query(resourcesApi.list, { params }),
    staleTime: 0,
  });
  const attach = useMutation({
    mutationFn: (body: { server: string; uri: string }) =>
      call(resourcesApi.attach, { params, body: { ...body, temporary: attachments.isTemporary } }),
    onSuccess: (attachment) => {
      attachments.add(attachment);
      onClose();
    },
  });
  const servers = data?.items.map((server) => filterResources(server, search)) ?? [];
  const isEmpty = data !== undefined && servers.every(({ resources }) => resources.length === 0);

  return (
    <Modal
      opened
      onClose={onClose}
      title={t('attachments.fromServers')}
      closeButtonProps={{ 'aria-label': t('action.close') }}
      size="lg"
    >
      <TextInput
        type="search"
        data-autofocus
        aria-label={t('attachments.search')}
        placeholder={t('attachments.search')}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      {attach.error && <ErrorNote error={attach.error} />}
      {error && <ErrorNote error={error} onRetry={() => refetch()} />}
      {!data && !error && (
        <div role="status" aria-label={t('state.loading')}>
          <Skeleton height={120} mt={16} />
        </div>
      )}
      {servers.map((server) => (
        <ResourceList
          key={server.id}
          server={server}
          isSearched={search.trim() !== ''}
          reading={attach.isPending ? attach.variables : undefined}
          onChoose={(uri) => attach.mutate({ server: server.id, uri })}
        />
      ))}
      {isEmpty && (
        <p className={classes.empty} role="status">
          {t(search.trim() === '' ? 'attachments.noResources' : 'attachments.nothingFound')}
        </p>
      )}
    </Modal>
  );
}

function filterResources(server: ResourceServer, search: string): ResourceServer {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const resources = server.resources.filter(({ title, description, uri }) => {
    const text = `${title} ${description} ${uri} ${server.title}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  return { ...server, resources };
}

interface ResourceListProps {
  server: ResourceServer;
  /** Whether these are search results. */
  isSearched: boolean;
  /** The resource that is being read. */
  reading: { server: string; uri: string } | undefined;
  onChoose: (uri: string) => void;
}

/** The resources of one server, or why they could not be loaded. */
function ResourceList({ server, isSearched, reading, onChoose }: ResourceListProps) {
  const { t } = useTranslation();
  const { bytes } = useFormat();
  const id = useId();
  const { resources, problem } = server;
  if (resources.length === 0 && (problem === undefined || isSearched)) {
    return null;
  }
  return (
    <section className={classes.server} aria-labelledby={id}>
      <h3 id={id}>{server.title}</h3>
      {problem && <p className={classes.problem}>{problem}</p>}
      <ul>
        {resources.map(({ uri, title, description, size }) => {
          const isRead = reading?.server === server.id && reading.uri === uri;
          return (
            <li key={uri}>
              <UnstyledButton
                className={classes.resource}
                disabled={reading !== undefined}
                onClick={() => onChoose(uri)}
              >
                <bdi className={classes.title}>{title}</bdi>
                {isRead && <Loader size={14} aria-label={t('attachments.reading')} />}
                {size !== undefined && !isRead && <span>{bytes(size)}</span>}
                <bdi className={classes.about}>{description || uri}</bdi>
              </UnstyledButton>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
