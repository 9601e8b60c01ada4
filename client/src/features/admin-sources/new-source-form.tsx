import { type SkillSourceConfig, skillSourcesApi } from '@knowhow/shared/skills/skill-sources';
import { Checkbox, NativeSelect } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import type { Input } from '../../api/request.ts';
import { DialogForm } from '../../ui/forms/dialog-form.tsx';
import { FirstField } from '../../ui/forms/first-field.tsx';
import { PlainField } from '../../ui/forms/plain-field.tsx';
import { scheduleNames } from './schedule-names.ts';

interface NewSourceFormProps {
  onMade: (id: string) => Promise<void>;
  onCancel: () => void;
}

/** The contents of the fields. */
interface Draft extends Record<'id' | 'url' | 'ref' | 'paths' | 'variable', string> {
  schedule: SkillSourceConfig['schedule'];
  isAuto: boolean;
}

const empty: Draft = {
  ...{ id: '', url: '', ref: '', paths: '', variable: '' },
  ...{ schedule: 'daily', isAuto: false },
};

/** The repository of a new source, and how often the server looks for a new commit. */
export function NewSourceForm({ onMade, onCancel }: NewSourceFormProps) {
  const { t } = useTranslation();
  const [draft, setDraft] = useState(empty);
  const create = useMutation({
    mutationFn: () => call(skillSourcesApi.create, { body: toSource(draft) }),
    onSuccess: ({ source }) => onMade(source.id),
  });
  const set = (changed: Partial<Draft>) => setDraft({ ...draft, ...changed });
  return (
    <DialogForm
      error={create.error}
      isBusy={create.isPending}
      isIncomplete={draft.id.trim() === '' || draft.url.trim() === ''}
      submitLabel={t('sources.create')}
      onSubmit={() => create.mutate()}
      onCancel={onCancel}
    >
      <FirstField
        label={t('sources.id')}
        description={t('sources.idAbout')}
        maxLength={100}
        value={draft.id}
        onChange={(id) => set({ id })}
      />
      <RepositoryFields draft={draft} onChange={set} />
      <NativeSelect
        label={t('sources.schedule')}
        data={Object.entries(scheduleNames).map(([value, name]) => ({ value, label: t(name) }))}
        value={draft.schedule}
        onChange={(event) => set({ schedule: event.currentTarget.value as Draft['schedule'] })}
      />
      <Checkbox
        label={t('sources.auto')}
        description={t('sources.autoAbout')}
        checked={draft.isAuto}
        onChange={(event) => set({ isAuto: event.currentTarget.checked })}
      />
    </DialogForm>
  );
}

function toSource(draft: Draft): Input<typeof skillSourcesApi.create>['body'] {
  const [ref, variable] = [draft.ref.trim(), draft.variable.trim()];
  const paths = draft.paths
    .split(',')
    .map((path) => path.trim())
    .filter((path) => path !== '');
  return {
    id: draft.id.trim(),
    url: draft.url.trim(),
    schedule: draft.schedule,
    update: draft.isAuto ? 'auto' : 'review',
    ...(ref === '' ? {} : { ref }),
    ...(paths.length === 0 ? {} : { paths }),
    ...(variable === '' ? {} : { credentials: { variable } }),
  };
}

interface RepositoryFieldsProps {
  draft: Draft;
  onChange: (changed: Partial<Draft>) => void;
}

/** The address of the repository, and the part that is taken. */
function RepositoryFields({ draft, onChange }: RepositoryFieldsProps) {
  const { t } = useTranslation();
  return (
    <>
      <PlainField
        label={t('sources.url')}
        description={t('skillImport.addressAbout')}
        placeholder={t('skillImport.addressExample')}
        maxLength={2000}
        value={draft.url}
        onChange={(url) => onChange({ url })}
      />
      <PlainField
        label={t('skillImport.ref')}
        placeholder={t('skillImport.refDefault')}
        maxLength={200}
        value={draft.ref}
        onChange={(ref) => onChange({ ref })}
      />
      <PlainField
        label={t('sources.paths')}
        description={t('sources.pathsAbout')}
        placeholder={t('skillImport.folderDefault')}
        maxLength={5000}
        value={draft.paths}
        onChange={(paths) => onChange({ paths })}
      />
      <PlainField
        label={t('sources.variable')}
        description={t('sources.variableAbout')}
        maxLength={100}
        value={draft.variable}
        onChange={(variable) => onChange({ variable })}
      />
    </>
  );
}
