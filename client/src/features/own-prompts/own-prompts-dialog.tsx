import { userPromptsApi } from '@knowhow/shared/chat/user-prompts';
import { Modal, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { query } from '../../api/query.ts';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import { PromptForm } from './prompt-form.tsx';
import { PromptList } from './prompt-list.tsx';
import { useRefreshPrompts } from './use-refresh-prompts.ts';
import type { Written } from './written.ts';

export interface OwnPromptsDialogProps {
  /** The text to save as a prompt, if opened for one. */
  text?: string;
  onClose: () => void;
}

/** The user's own prompts, and those shared with them. */
export function OwnPromptsDialog({ text, onClose }: OwnPromptsDialogProps) {
  const { t } = useTranslation();
  const isKeeping = text !== undefined;
  const [written, setWritten] = useState<Written | undefined>(isKeeping ? { text } : undefined);
  const refresh = useRefreshPrompts();
  const toList = () => (isKeeping ? onClose() : setWritten(undefined));
  return (
    <Modal
      opened
      onClose={onClose}
      // A click outside must not discard a prompt that is being written.
      closeOnClickOutside={!written}
      title={t(getTitle(written))}
      closeButtonProps={{ 'aria-label': t('action.close') }}
      size="lg"
      centered
    >
      <Loaded
        written={written}
        onWrite={setWritten}
        onCancel={toList}
        onSaved={() => {
          refresh();
          toList();
        }}
      />
    </Modal>
  );
}

function getTitle(written: Written | undefined) {
  return written
    ? written.id === undefined
      ? 'ownPrompts.new'
      : 'ownPrompts.change'
    : 'account.ownPrompts';
}

interface LoadedProps {
  written: Written | undefined;
  onWrite: (written: Written) => void;
  onCancel: () => void;
  onSaved: () => void;
}

function Loaded({ written, onWrite, onCancel, onSaved }: LoadedProps) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery({ ...query(userPromptsApi.list, {}), staleTime: 0 });
  if (error && !data) {
    return <ErrorNote error={error} onRetry={() => refetch()} />;
  }
  if (!data) {
    return (
      <div role="status" aria-label={t('state.loading')}>
        <Skeleton height={120} />
      </div>
    );
  }
  return written ? (
    <PromptForm written={written} groups={data.groups} onCancel={onCancel} onSaved={onSaved} />
  ) : (
    <PromptList prompts={data.items} groups={data.groups} onWrite={onWrite} />
  );
}
