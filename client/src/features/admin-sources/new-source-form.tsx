import { skillSourcesApi } from '@knowhow/shared/skills/skill-sources';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { DialogForm } from '../../ui/forms/dialog-form.tsx';
import { FirstField } from '../../ui/forms/first-field.tsx';
import { emptySource, isComplete, SourceFields, toFields } from './source-fields.tsx';

interface NewSourceFormProps {
  onMade: (id: string) => Promise<void>;
  onCancel: () => void;
}

/** A new source: its name, its repository, and how often the server looks for a new commit. */
export function NewSourceForm({ onMade, onCancel }: NewSourceFormProps) {
  const { t } = useTranslation();
  const [id, setId] = useState('');
  const [draft, setDraft] = useState(emptySource);
  const create = useMutation({
    mutationFn: () =>
      call(skillSourcesApi.create, { body: { id: id.trim(), ...withoutNull(toFields(draft)) } }),
    onSuccess: ({ source }) => onMade(source.id),
  });
  return (
    <DialogForm
      error={create.error}
      isBusy={create.isPending}
      isIncomplete={id.trim() === '' || !isComplete(draft)}
      submitLabel={t('sources.create')}
      onSubmit={() => create.mutate()}
      onCancel={onCancel}
    >
      <FirstField
        label={t('sources.id')}
        description={t('sources.idAbout')}
        maxLength={100}
        value={id}
        onChange={setId}
      />
      <SourceFields draft={draft} onChange={setDraft} />
    </DialogForm>
  );
}

function withoutNull({
  ref,
  paths,
  credentials,
  webhook,
  requireSigned,
  ...required
}: ReturnType<typeof toFields>) {
  return {
    ...required,
    ...(ref === null ? {} : { ref }),
    ...(paths === null ? {} : { paths }),
    ...(credentials === null ? {} : { credentials }),
    ...(webhook === null ? {} : { webhook }),
    ...(requireSigned === null ? {} : { requireSigned }),
  };
}
