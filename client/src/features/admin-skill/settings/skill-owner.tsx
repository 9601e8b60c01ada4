import type { AdminSkillDetail } from '@knowhow/shared/skills/admin-skill';
import {
  type SkillOwner as Owner,
  type OwnerKey,
  ownerKinds,
  skillOwnersApi,
} from '@knowhow/shared/skills/skill-owners';
import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/call.ts';
import { query } from '../../../api/query.ts';
import rowClasses from '../../../ui/layout/switch-row.module.css';
import { ErrorNote } from '../../../ui/text/error-note.tsx';
import { useErrorToast } from '../../../ui/text/use-error-toast.ts';
import { useUndoToast } from '../../../ui/use-undo-toast.tsx';
import classes from './skill-settings.module.css';

/** The owner of a skill: a user or a group, searched by name. */
export function SkillOwner({ skill: { name, displayName } }: { skill: AdminSkillDetail }) {
  const { t } = useTranslation();
  const id = useId();
  const input = { params: { name } };
  const found = useQuery(query(skillOwnersApi.get, input));
  const change = useSetOwner(name, displayName);
  const owner = found.data?.owner;
  return (
    <div className={rowClasses.row}>
      <div className={rowClasses.words}>
        <label className={rowClasses.label} htmlFor={id}>
          {t('skillPage.owner')}
        </label>
        <div id={`${id}-text`} className={rowClasses.text}>
          {t('skillPage.ownerText')}
        </div>
        {found.error && <ErrorNote error={found.error} onRetry={() => found.refetch()} />}
      </div>
      {found.data && (
        <OwnerSelect id={id} owner={owner} onChange={(chosen) => change(chosen, owner)} />
      )}
    </div>
  );
}

interface OwnerSelectProps {
  id: string;
  owner: Owner | undefined;
  onChange: (owner: Owner | undefined) => void;
}

const groupTexts = { user: 'skillPage.ownerUsers', group: 'skillPage.ownerGroups' } as const;

function OwnerSelect({ id, owner, onChange }: OwnerSelectProps) {
  const { t } = useTranslation();
  const [search, setSearch] = useState('');
  // The field contains the owner's name, which is not a search.
  const wanted = search === owner?.name ? '' : search.trim().slice(0, 200);
  const [asked] = useDebouncedValue(wanted, 200);
  const choices = useQuery({
    ...query(skillOwnersApi.choices, { query: { query: asked } }),
    placeholderData: keepPreviousData,
  });
  const found = choices.data?.items ?? [];
  const known = owner && !found.some((each) => toValue(each) === toValue(owner));
  const all = known ? [owner, ...found] : found;
  return (
    <Select
      id={id}
      className={classes.owner}
      aria-describedby={`${id}-text`}
      placeholder={t('skillPage.noOwner')}
      value={owner ? toValue(owner) : null}
      onChange={(value) => onChange(all.find((each) => toValue(each) === value))}
      clearable
      clearButtonProps={{ 'aria-label': t('skillPage.removeOwner') }}
      searchable
      searchValue={search}
      onSearchChange={setSearch}
      // The server has already filtered.
      filter={({ options }) => options}
      nothingFoundMessage={t('skillPage.noSuchOwner')}
      data={ownerKinds
        .toReversed()
        .map((kind) => ({
          group: t(groupTexts[kind]),
          items: all
            .filter((each) => each.kind === kind)
            .map((each) => ({ value: toValue(each), label: each.name })),
        }))
        .filter(({ items }) => items.length > 0)}
    />
  );
}

function toValue({ kind, id }: OwnerKey): string {
  return `${kind}:${id}`;
}

/** Returns a function that sets the owner, with undo. */
function useSetOwner(name: string, displayName: string) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const showUndo = useUndoToast();
  const showError = useErrorToast();
  const set = useMutation({
    scope: { id: `owner ${name}` },
    mutationFn: (owner: Owner | undefined) => {
      const body = { owner: owner ? { kind: owner.kind, id: owner.id } : null };
      return call(skillOwnersApi.put, { params: { name }, body });
    },
    onSuccess: (answer) =>
      queryClient.setQueryData(query(skillOwnersApi.get, { params: { name } }).queryKey, answer),
    onError: showError,
  });
  return (owner: Owner | undefined, before: Owner | undefined) =>
    set.mutate(owner, {
      onSuccess: () =>
        showUndo({
          message: owner
            ? t('skillPage.nowOwned', { name: displayName, owner: owner.name })
            : t('skillPage.notOwned', { name: displayName }),
          undo: () => set.mutateAsync(before),
        }),
    });
}
