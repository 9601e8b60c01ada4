import '@mantine/core/styles/ScrollArea.layer.css';
import '@mantine/core/styles/Combobox.layer.css';
import '@mantine/core/styles/Pill.layer.css';
import '@mantine/core/styles/PillsInput.layer.css';
import {
  mySkillsApi,
  type PersonalSkillDetail,
  type SkillRecipient,
} from '@knowhow/shared/skills/personal-skills';
import { MultiSelect, Skeleton } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { query } from '../../api/query.ts';
import { focusHere } from '../../ui/focus/focus-here.ts';
import { DialogForm } from '../../ui/forms/dialog-form.tsx';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import { refreshMySkills } from './refresh-my-skills.ts';

interface ShareFormProps {
  skill: PersonalSkillDetail;
  onClose: () => void;
}

/** Chooses the users and groups that a skill is shared with. */
export function ShareForm({ skill, onClose }: ShareFormProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const input = { params: { name: skill.name } };
  const present = useQuery({ ...query(mySkillsApi.recipients, input), gcTime: 0 });
  /** With the checksum of the recipients that were shown first: another tab may change them. */
  const [changed, setChanged] = useState<{ items: SkillRecipient[]; checksum: string }>();
  const seen = changed ?? present.data;
  const share = useMutation({
    mutationFn: ({ items, checksum }: NonNullable<typeof changed>) =>
      call(
        mySkillsApi.share,
        {
          ...input,
          body: { users: idsOf(items, 'user'), groups: idsOf(items, 'group') },
        },
        { ifMatch: checksum },
      ),
    onSuccess: ({ items }) => {
      refreshMySkills(queryClient, { ...skill, recipients: items.length });
      onClose();
    },
  });
  return (
    <DialogForm
      about={t('mySkills.share.dialogText')}
      error={share.error}
      isBusy={share.isPending}
      isIncomplete={changed === undefined}
      submitLabel={t('mySkills.save')}
      onSubmit={() => changed && share.mutate(changed)}
      onCancel={onClose}
    >
      {present.error && <ErrorNote error={present.error} onRetry={() => present.refetch()} />}
      {seen ? (
        <RecipientChoice
          chosen={seen.items}
          onChange={(items) => setChanged({ items, checksum: seen.checksum })}
        />
      ) : (
        !present.error && (
          <div role="status" aria-label={t('state.loading')}>
            <Skeleton height={60} />
          </div>
        )
      )}
    </DialogForm>
  );
}

interface RecipientChoiceProps {
  chosen: SkillRecipient[];
  onChange: (chosen: SkillRecipient[]) => void;
}

const kinds = [
  { kind: 'group', label: 'mySkills.share.groups' },
  { kind: 'user', label: 'mySkills.share.users' },
] as const;

function RecipientChoice({ chosen, onChange }: RecipientChoiceProps) {
  const { t } = useTranslation();
  const [search, setSearch] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [asked] = useDebouncedValue(search.trim().slice(0, 200), 200);
  const choices = useQuery({
    ...query(mySkillsApi.recipientChoices, { query: { query: asked } }),
    placeholderData: keepPreviousData,
  });
  const isChosen = (one: SkillRecipient) => chosen.some((other) => toValue(other) === toValue(one));
  const all = [...chosen, ...(choices.data?.items ?? []).filter((one) => !isChosen(one))];
  return (
    <>
      {choices.error && <ErrorNote error={choices.error} onRetry={() => choices.refetch()} />}
      <MultiSelect
        label={t('mySkills.share.field')}
        placeholder={t('mySkills.share.search')}
        ref={focusHere}
        openOnFocus={false}
        // The open list covers the buttons below.
        dropdownOpened={isOpen}
        onDropdownOpen={() => setOpen(true)}
        onDropdownClose={() => setOpen(false)}
        onOptionSubmit={() => setOpen(false)}
        value={chosen.map(toValue)}
        onChange={(values) => onChange(all.filter((one) => values.includes(toValue(one))))}
        searchable
        hidePickedOptions
        searchValue={search}
        onSearchChange={setSearch}
        // The server has already filtered.
        filter={({ options }) => options}
        nothingFoundMessage={t('mySkills.share.nothing')}
        data={kinds
          .map(({ kind, label }) => ({
            group: t(label),
            items: all
              .filter((one) => one.kind === kind)
              .map((one) => ({ value: toValue(one), label: one.name })),
          }))
          .filter(({ items }) => items.length > 0)}
      />
    </>
  );
}

function toValue({ kind, id }: SkillRecipient): string {
  return `${kind}:${id}`;
}

function idsOf(recipients: readonly SkillRecipient[], wanted: SkillRecipient['kind']): string[] {
  return recipients.filter(({ kind }) => kind === wanted).map(({ id }) => id);
}
