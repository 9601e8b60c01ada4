import { parseSigner } from '@knowhow/shared/skills/signer';
import type { SkillSourceConfig } from '@knowhow/shared/skills/skill-sources';
import { Checkbox, NativeSelect } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { LimitedTextarea } from '../../ui/forms/limited-textarea.tsx';
import { PlainField } from '../../ui/forms/plain-field.tsx';
import { scheduleNames } from './schedule-names.ts';

type TextField = 'url' | 'ref' | 'paths' | 'variable' | 'hookVariable' | 'signers';

/** The contents of the fields. */
export interface SourceDraft extends Record<TextField, string> {
  schedule: SkillSourceConfig['schedule'];
  isAuto: boolean;
}

export const emptySource: SourceDraft = {
  ...{ url: '', ref: '', paths: '', variable: '', hookVariable: '', signers: '' },
  ...{ schedule: 'daily', isAuto: false },
};

export function toDraft(source: SkillSourceConfig): SourceDraft {
  return {
    url: source.url,
    ref: source.ref ?? '',
    paths: source.paths?.join(', ') ?? '',
    variable: source.credentials?.variable ?? '',
    hookVariable: source.webhook?.variable ?? '',
    signers: source.requireSigned?.signers.join('\n') ?? '',
    schedule: source.schedule,
    isAuto: source.update === 'auto',
  };
}

/** Whether the source can be saved. */
export function isComplete({ url, signers }: SourceDraft): boolean {
  return url.trim() !== '' && findInvalidSigner(signers) === undefined;
}

/** The number of the first line that is not a signer, from 1. */
function findInvalidSigner(text: string): number | undefined {
  const at = text
    .split('\n')
    .findIndex((line) => line.trim() !== '' && 'fault' in parseSigner(line.trim()));
  return at < 0 ? undefined : at + 1;
}

/** The fields of the source; null where one is empty. */
export function toFields(draft: SourceDraft) {
  const signers = splitText(draft.signers, '\n');
  const paths = splitText(draft.paths, ',');
  return {
    url: draft.url.trim(),
    schedule: draft.schedule,
    update: draft.isAuto ? ('auto' as const) : ('review' as const),
    ref: draft.ref.trim() || null,
    paths: paths.length === 0 ? null : paths,
    credentials: toVariable(draft.variable),
    webhook: toVariable(draft.hookVariable),
    requireSigned: signers.length === 0 ? null : { signers },
  };
}

function splitText(text: string, separator: string): string[] {
  return text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '');
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
  const invalidSigner = findInvalidSigner(draft.signers);
  return (
    <>
      <PlainField
        label={t('sources.url')}
        description={t('sources.urlAbout')}
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
      <LimitedTextarea
        label={t('sources.signers')}
        description={t('sources.signersAbout')}
        error={invalidSigner && t('sources.signerInvalid', { number: invalidSigner })}
        maxLength={50_000}
        rows={3}
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        value={draft.signers}
        onChange={(event) => set({ signers: event.currentTarget.value })}
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
