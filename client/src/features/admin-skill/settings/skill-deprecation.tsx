import type { AdminSkillDetail } from '@knowhow/shared/skills/admin-skill';
import { adminSkillsApi } from '@knowhow/shared/skills/admin-skills';
import { maxDeprecationNote } from '@knowhow/shared/skills/skills-config';
import { Button, Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/call.ts';
import { query } from '../../../api/query.ts';
import { refreshSkills } from '../../../api/refresh-skills.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { DeprecatedBadge } from '../../../ui/deprecated-badge.tsx';
import { LimitedTextarea } from '../../../ui/forms/limited-textarea.tsx';
import rowClasses from '../../../ui/layout/switch-row.module.css';
import { useErrorToast } from '../../../ui/text/use-error-toast.ts';
import { useUndoToast } from '../../../ui/use-undo-toast.tsx';
import { GroupsOf } from './block-skill.tsx';

type Deprecation = NonNullable<AdminSkillDetail['deprecated']>;

/** Deprecates a skill, with an optional successor and note, changes these, or ends the deprecation. */
export function SkillDeprecation({ skill }: { skill: AdminSkillDetail }) {
  const { t } = useTranslation();
  const [isAsking, setAsking] = useState(false);
  const [written, setWritten] = useState<Deprecation>({});
  const { set, remove } = useDeprecation(skill);
  const { deprecated } = skill;

  function ask() {
    setWritten(deprecated ?? {});
    setAsking(true);
  }

  return (
    <div className={rowClasses.row}>
      <div className={rowClasses.words}>
        <div className={rowClasses.label}>{t('skillPage.deprecation')}</div>
        <div className={rowClasses.text}>
          {deprecated ? (
            <DeprecatedBadge successor={deprecated.successor} />
          ) : (
            t('skillPage.deprecationText')
          )}
        </div>
        {deprecated?.note !== undefined && <div className={rowClasses.text}>{deprecated.note}</div>}
      </div>
      <div className={rowClasses.buttons}>
        {deprecated && (
          <Button variant="default" size="xs" onClick={ask}>
            {t('action.edit')}
          </Button>
        )}
        {/* One button for both, so that it keeps the focus. */}
        <Button
          variant="default"
          size="xs"
          loading={remove.isPending}
          onClick={() => (deprecated ? remove.mutate() : ask())}
        >
          {deprecated ? t('skillPage.undeprecate') : t('skillPage.deprecate')}
        </Button>
      </div>
      <DeprecateDialog
        skill={skill}
        opened={isAsking}
        written={written}
        set={set}
        onWrite={setWritten}
        onClose={() => {
          setAsking(false);
          set.reset();
        }}
      />
    </div>
  );
}

interface DeprecateDialogProps {
  skill: AdminSkillDetail;
  opened: boolean;
  written: Deprecation;
  set: ReturnType<typeof useDeprecation>['set'];
  onWrite: (written: Deprecation) => void;
  onClose: () => void;
}

function DeprecateDialog(props: DeprecateDialogProps) {
  const { skill, opened, written, set, onWrite, onClose } = props;
  const { t, i18n } = useTranslation();
  const { successor, note = '' } = written;
  const list = new Intl.ListFormat(i18n.language);
  const isEdited = skill.deprecated !== undefined;

  function onConfirm() {
    const text = note.trim();
    set.mutate(
      {
        ...(successor === undefined ? {} : { successor }),
        ...(text === '' ? {} : { note: text }),
      },
      { onSuccess: onClose },
    );
  }

  return (
    <ConfirmDialog
      title={t(isEdited ? 'skillPage.editDeprecation' : 'skillPage.deprecateTitle', {
        name: skill.displayName,
      })}
      opened={opened}
      onClose={onClose}
      onConfirm={onConfirm}
      confirmLabel={t(isEdited ? 'skillPage.save' : 'skillPage.deprecateNow')}
      isBusy={set.isPending}
      error={set.error}
    >
      <p>{t('skillPage.deprecateEffect')}</p>
      <ul>
        <li>
          {skill.apps.length > 0
            ? t('skillPage.blockApps', { apps: list.format(skill.apps) })
            : t('skillPage.noApps')}
        </li>
        <GroupsOf skill={skill} />
      </ul>
      <SuccessorSelect
        skill={skill}
        value={successor ?? null}
        onChange={(chosen) => {
          const { successor: _former, ...others } = written;
          onWrite(chosen === null ? others : { ...others, successor: chosen });
        }}
      />
      <LimitedTextarea
        mt="xs"
        label={t('skillPage.deprecationNote')}
        value={note}
        onChange={({ currentTarget: { value } }) => onWrite({ ...written, note: value })}
        maxLength={maxDeprecationNote}
        rows={3}
      />
    </ConfirmDialog>
  );
}

interface SuccessorSelectProps {
  skill: AdminSkillDetail;
  value: string | null;
  onChange: (name: string | null) => void;
}

/** Another skill of the organisation, searched on the server. */
function SuccessorSelect({ skill, value, onChange }: SuccessorSelectProps) {
  const { t } = useTranslation();
  const [search, setSearch] = useState('');
  // The field contains the chosen name, which is not a search.
  const wanted = search === value ? '' : search.trim().slice(0, 200);
  const [asked] = useDebouncedValue(wanted, 200);
  const found = useQuery({
    ...query(adminSkillsApi.list, {
      query: { limit: 20, ...(asked === '' ? {} : { query: asked }) },
    }),
    placeholderData: keepPreviousData,
  });
  const names = (found.data?.items ?? [])
    .filter(
      ({ name, status }) => name !== skill.name && status !== 'broken' && status !== 'shadowed',
    )
    .map(({ name }) => name);
  return (
    <Select
      label={t('skillPage.successor')}
      placeholder={t('skillPage.noSuccessor')}
      value={value}
      onChange={onChange}
      openOnFocus={false}
      clearable
      clearButtonProps={{ 'aria-label': t('skillPage.removeSuccessor') }}
      searchable
      searchValue={search}
      onSearchChange={setSearch}
      // The server has already filtered.
      filter={({ options }) => options}
      nothingFoundMessage={t('skillPage.noSuchSkill')}
      data={value === null || names.includes(value) ? names : [value, ...names]}
      data-autofocus
    />
  );
}

/** Mutations that deprecate a skill and end that, with undo. */
function useDeprecation({ name, displayName, deprecated }: AdminSkillDetail) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const showUndo = useUndoToast();
  const showError = useErrorToast();
  const change = async (to: Deprecation | null) => {
    await call(adminSkillsApi.update, { params: { name }, body: { deprecated: to } });
    await refreshSkills(queryClient);
  };
  return {
    set: useMutation({
      mutationFn: (to: Deprecation) => change(to),
      onSuccess: () =>
        showUndo({
          message: t(deprecated ? 'skillPage.deprecationSaved' : 'skillPage.nowDeprecated', {
            name: displayName,
          }),
          undo: () => change(deprecated ?? null),
        }),
    }),
    remove: useMutation({
      mutationFn: () => change(null),
      onSuccess: () =>
        showUndo({
          message: t('skillPage.notDeprecated', { name: displayName }),
          undo: () => change(deprecated ?? null),
        }),
      onError: showError,
    }),
  };
}
