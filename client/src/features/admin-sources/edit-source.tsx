import { Problem } from '@knowhow/shared/problem';
import type { SkillSourceItem } from '@knowhow/shared/skills/skill-sources';
import { Button, Modal } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconPencil } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DialogForm } from '../../ui/forms/dialog-form.tsx';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import { isComplete, SourceFields, toDraft, toFields } from './source-fields.tsx';
import { sourceQuery, useUpdateSource } from './sources-query.ts';

/** A button that opens the fields of a source. */
export function EditSource({ item }: { item: SkillSourceItem }) {
  const { t } = useTranslation();
  // The source as it was opened: the page may refresh meanwhile.
  const [opened, setOpened] = useState<SkillSourceItem>();
  const close = () => setOpened(undefined);

  function onSaved() {
    close();
    notifications.show({
      message: t('sources.saved', { name: item.source.id }),
      closeButtonProps: { 'aria-label': t('action.close') },
    });
  }

  return (
    <>
      <Button
        variant="default"
        leftSection={<IconPencil size={17} aria-hidden />}
        onClick={() => setOpened(item)}
      >
        {t('action.edit')}
      </Button>
      <Modal
        opened={opened !== undefined}
        onClose={close}
        title={t('sources.edit', { name: item.source.id })}
        closeButtonProps={{ 'aria-label': t('action.close') }}
      >
        {opened && (
          <EditForm
            // A version that was loaded replaces what was entered.
            key={opened.checksum}
            item={opened}
            onLoaded={setOpened}
            onSaved={onSaved}
            onCancel={close}
          />
        )}
      </Modal>
    </>
  );
}

interface EditFormProps {
  item: SkillSourceItem;
  /** Another person has changed the source meanwhile, and their version was loaded. */
  onLoaded: (item: SkillSourceItem) => void;
  onSaved: () => void;
  onCancel: () => void;
}

/** The fields of a source. Only those that were changed are sent. */
function EditForm({ item, onLoaded, onSaved, onCancel }: EditFormProps) {
  const { t } = useTranslation();
  const [draft, setDraft] = useState(() => toDraft(item.source));
  const update = useUpdateSource(item);
  const changes = findChanges(toFields(toDraft(item.source)), toFields(draft));
  const isOutdated = update.error instanceof Problem && update.error.code === outdated.code;
  return (
    <DialogForm
      error={isOutdated ? undefined : update.error}
      isBusy={update.isPending}
      isIncomplete={!isComplete(draft) || Object.keys(changes).length === 0}
      submitLabel={t('sources.save')}
      onSubmit={() => update.mutate(changes, { onSuccess: onSaved })}
      onCancel={onCancel}
    >
      {isOutdated && <Outdated id={item.source.id} onLoaded={onLoaded} />}
      <SourceFields draft={draft} onChange={setDraft} isFirst />
    </DialogForm>
  );
}

type Fields = ReturnType<typeof toFields>;

function findChanges(before: Fields, after: Fields): Partial<Fields> {
  const names = Object.keys(after) as (keyof Fields)[];
  const changed = names.filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  return Object.fromEntries(changed.map((name) => [name, after[name]]));
}

/** Without the server's message, which does not mention the button. */
const outdated = { code: 'changed-meanwhile', message: '' };

/** Loads the version of another person. */
function Outdated({ id, onLoaded }: { id: string; onLoaded: EditFormProps['onLoaded'] }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const load = useMutation({
    mutationFn: () => queryClient.fetchQuery({ ...sourceQuery(id), staleTime: 0 }),
    onSuccess: onLoaded,
  });
  return (
    <ErrorNote error={load.error ?? outdated}>
      <Button
        variant="default"
        size="compact-sm"
        loading={load.isPending}
        onClick={() => load.mutate()}
      >
        {t('skillPage.reload')}
      </Button>
    </ErrorNote>
  );
}
