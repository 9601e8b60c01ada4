import type { SkillSourceConfig } from '@knowhow/shared/skills/skill-sources';
import { Checkbox, NativeSelect } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { PlainField } from '../../ui/forms/plain-field.tsx';
import { scheduleNames } from './schedule-names.ts';

type TextField = 'url' | 'ref' | 'paths' | 'variable' | 'hookVariable';

/** The contents of the fields. */
export interface SourceDraft extends Record<TextField, string> {
  schedule: SkillSourceConfig['schedule'];
  isAuto: boolean;
}

export const emptySource: SourceDraft = {
  ...{ url: '', ref: '', paths: '', variable: '', hookVariable: '' },
  ...{ schedule: 'daily', isAuto: false },
};

export function toDraft(source: SkillSourceConfig): SourceDraft {
  return {
    url: source.url,
    ref: source.ref ?? '',
    paths: source.paths?.join(', ') ?? '',
    variable: source.credentials?.variable ?? '',
    hookVariable: source.webhook?.variable ?? '',
    schedule: source.schedule,
    isAuto: source.update === 'auto',
  };
}

/** The fields of the source; null where one is empty. */
export function toFields(draft: SourceDraft) {
  const paths = draft.paths
    .split(',')
    .map((path) => path.trim())
    .filter((path) => path !== '');
  return {
    url: draft.url.trim(),
    schedule: draft.schedule,
    update: draft.isAuto ? ('auto' as const) : ('review' as const),
    ref: draft.ref.trim() || null,
    paths: paths.length === 0 ? null : paths,
    credentials: toVariable(draft.variable),
    webhook: toVariable(draft.hookVariable),
  };
}

function toVariable(name: string): { variable: string } | null {
  return name.trim() === '' ? null : { variable: name.trim() };
}

interface SourceFieldsProps {
  draft: SourceDraft;
  onChange: (draft: SourceDraft) => void;
  /** Whether the dialog begins with these fields. */
  isFirst?: boolean;
}

/** The repository, the part that is taken, and when. */
export function SourceFields({ draft, onChange, isFirst = false }: SourceFieldsProps) {
  const { t } = useTranslation();
  const set = (changed: Partial<SourceDraft>) => onChange({ ...draft, ...changed });
  const field = (name: TextField) => ({
    value: draft[name],
    onChange: (value: string) => set({ [name]: value }),
  });
  return (
    <>
      <PlainField
        label={t('sources.url')}
        description={t('skillImport.addressAbout')}
        placeholder={t('skillImport.addressExample')}
        maxLength={2000}
        isFocused={isFirst}
        {...field('url')}
      />
      <PlainField
        label={t('skillImport.ref')}
        placeholder={t('skillImport.refDefault')}
        maxLength={200}
        {...field('ref')}
      />
      <PlainField
        label={t('sources.paths')}
        description={t('sources.pathsAbout')}
        placeholder={t('skillImport.folderDefault')}
        maxLength={5000}
        {...field('paths')}
      />
      <PlainField
        label={t('sources.variable')}
        description={t('sources.variableAbout')}
        maxLength={100}
        {...field('variable')}
      />
      <NativeSelect
        label={t('sources.schedule')}
        data={Object.entries(scheduleNames).map(([value, name]) => ({ value, label: t(name) }))}
        value={draft.schedule}
        onChange={(event) =>
          set({ schedule: event.currentTarget.value as SourceDraft['schedule'] })
        }
      />
      <PlainField
        label={t('sources.hookVariable')}
        description={t('sources.hookVariableAbout')}
        maxLength={100}
        {...field('hookVariable')}
      />
      <Checkbox
        label={t('sources.auto')}
        description={t('sources.autoAbout')}
        checked={draft.isAuto}
        onChange={(event) => set({ isAuto: event.currentTarget.checked })}
      />
    </>
  );
}
