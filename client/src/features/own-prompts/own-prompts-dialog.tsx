import { placeholdersIn } from '@knowhow/shared/chat/placeholders';
import { maxPromptLength, userPromptsApi } from '@knowhow/shared/chat/user-prompts';
import { Checkbox, Modal, Skeleton, Textarea } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { query } from '../../api/query.ts';
import { DialogForm } from '../../ui/forms/dialog-form.tsx';
import { FirstField } from '../../ui/forms/first-field.tsx';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import { PromptList } from './prompt-list.tsx';
import { useRefreshPrompts } from './use-refresh-prompts.ts';
import type { Written } from './written.ts';
import '../../ui/mantine-fields.css';
import classes from './own-prompts.module.css';

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

interface PromptFormProps {
  written: Written;
  /** The groups it can be shared with. */
  groups: readonly { id: string; name: string }[];
  onCancel: () => void;
  onSaved: () => void;
}

/** Name, text and sharing of a prompt. */
function PromptForm({ written, groups, onCancel, onSaved }: PromptFormProps) {
  const { t } = useTranslation();
  const { id } = written;
  const [name, setName] = useState(written.name ?? suggestName(written.text ?? ''));
  const [text, setText] = useState(written.text ?? '');
  const known = new Set(groups.map((group) => group.id));
  const [shared, setShared] = useState(written.groups?.filter((group) => known.has(group)) ?? []);
  const body = { name, text, groups: shared };
  const save = useMutation({
    mutationFn: () =>
      id === undefined
        ? call(userPromptsApi.create, { body })
        : call(userPromptsApi.update, { params: { id }, body }),
    onSuccess: onSaved,
  });

  return (
    <DialogForm
      error={save.error}
      isBusy={save.isPending}
      submitLabel={t('ownPrompts.save')}
      onSubmit={() => save.mutate()}
      onCancel={onCancel}
    >
      <FirstField label={t('ownPrompts.name')} maxLength={100} value={name} onChange={setName} />
      <Textarea
        label={t('ownPrompts.text')}
        description={<GapsNote text={text} />}
        required
        withAsterisk={false}
        rows={8}
        error={text.length > maxPromptLength && t('ownPrompts.tooLong', { max: maxPromptLength })}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {groups.length > 0 && (
        <Checkbox.Group
          label={t('ownPrompts.share')}
          description={t('ownPrompts.shareAbout')}
          value={shared}
          onChange={setShared}
        >
          <div className={classes.groups}>
            {groups.map((group) => (
              <Checkbox key={group.id} value={group.id} label={group.name} />
            ))}
          </div>
        </Checkbox.Group>
      )}
    </DialogForm>
  );
}

function GapsNote({ text }: { text: string }) {
  const { t } = useTranslation();
  const gaps = placeholdersIn(text);
  return gaps.length === 0
    ? t('ownPrompts.gapsAbout')
    : t('ownPrompts.gaps', { names: gaps.join(', ') });
}

const longestName = 60;

/** The first line, possibly truncated. */
function suggestName(text: string): string {
  const [line = ''] = text.trim().split('\n', 1);
  return line.length > longestName ? `${line.slice(0, longestName).trimEnd()}…` : line;
}
