import { type ResourceServer, resourcesApi } from '@knowhow/shared/chat/resources';
import { Modal, Skeleton, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/call.ts';
import { query } from '../../../api/query.ts';
import { ErrorNote } from '../../../ui/text/error-note.tsx';
import classes from './resource-dialog.module.css';
import { ResourceList } from './resource-list.tsx';
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
