import type { User } from '@knowhow/shared/access/admin-users';
import { adminUsersApi } from '@knowhow/shared/access/admin-users';
import { adminApi } from '@knowhow/shared/config/admin';
import { Problem } from '@knowhow/shared/problem';
import type { AdminSkillDetail } from '@knowhow/shared/skills/admin-skill';
import { Checkbox, NativeSelect, SegmentedControl, Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { query } from '../../api/query.ts';
import { Section } from '../../ui/layout/section.tsx';
import { useRight } from '../../ui/rights.ts';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import { useConfigItems } from '../../ui/use-config-items.ts';
import { appAssignments, groupAssignments } from './assignments.ts';
import classes from './preview-as.module.css';
import { Rows } from './rows.tsx';
import { PreviewResult } from './trial-result.tsx';

/** Previews what a model would receive for a user in an app. */
export function PreviewAs({ skill }: { skill: AdminSkillDetail }) {
  const { t, i18n } = useTranslation();
  const [who, setWho] = useState<'groups' | 'user'>('groups');
  const [user, setUser] = useState<User>();
  const [chosenGroups, setChosenGroups] = useState<string[]>();
  const [chosenApp, setChosenApp] = useState<string>();
  const apps = useConfigItems('apps');
  const groupList = useConfigItems('groups');

  const mayKnowUsers = useRight('users');

  // An app whose file is not valid offers nothing to anyone.
  const choices = appAssignments(skill, apps.data ?? [], i18n.language).filter(
    ({ isBroken }) => !isBroken,
  );
  const app = chosenApp ?? skill.apps[0] ?? choices[0]?.id;
  const groups = chosenGroups ?? skill.groups.slice(0, 1);
  const person = who === 'user' ? { user: user?.id } : { groups };
  const isComplete = app !== undefined && (who === 'groups' || user !== undefined);
  const trial = useQuery({
    ...query(adminApi.tryAs, { body: { app: app ?? '', ...person } }),
    enabled: isComplete,
    placeholderData: keepPreviousData,
  });

  return (
    <Section title={t('skillPage.tryAs')} text={t('skillPage.tryAsText')}>
      <div className={classes.form}>
        <NativeSelect
          label={t('skillPage.inApp')}
          value={app}
          onChange={(event) => setChosenApp(event.currentTarget.value)}
          data={choices.map(({ id, name }) => ({ value: id, label: name }))}
        />
        <div className={classes.who}>
          {mayKnowUsers && (
            <SegmentedControl
              aria-label={t('skillPage.as')}
              value={who}
              onChange={(value) => setWho(value === 'user' ? 'user' : 'groups')}
              data={[
                { value: 'groups', label: t('skillPage.asGroups') },
                { value: 'user', label: t('skillPage.asUser') },
              ]}
            />
          )}
          {who === 'user' ? (
            <UserSelect value={user} onChange={setUser} />
          ) : (
            <Checkbox.Group
              aria-label={t('skillPage.groups')}
              value={groups}
              onChange={setChosenGroups}
            >
              <div className={classes.groups}>
                {groupAssignments(skill, groupList.data ?? []).map(({ id, name }) => (
                  <Checkbox key={id} value={id} label={name} />
                ))}
              </div>
            </Checkbox.Group>
          )}
        </div>
      </div>
      {isComplete && trial.isPending && <Rows />}
      {isComplete && trial.error && <Refusal error={trial.error} />}
      {isComplete && !trial.error && trial.data && (
        <PreviewResult skill={skill} trial={trial.data} />
      )}
    </Section>
  );
}

/** Missing access to the app is a result, not an error. */
function Refusal({ error }: { error: Error }) {
  const { t } = useTranslation();
  if (error instanceof Problem && error.code === 'not-found') {
    return (
      <p className={classes.refusal} role="status">
        {t('skillPage.mayNotOpen')}
      </p>
    );
  }
  return <ErrorNote error={error} />;
}

interface UserSelectProps {
  value: User | undefined;
  onChange: (user: User | undefined) => void;
}

/** A user select with search by name. */
function UserSelect({ value, onChange }: UserSelectProps) {
  const { t } = useTranslation();
  const [search, setSearch] = useState('');
  // The field contains the selected user's name, which is not a search.
  const wanted = value && search === getLabel(value) ? '' : search.trim();
  const [asked] = useDebouncedValue(wanted, 200);
  const users = useQuery({
    ...query(adminUsersApi.list, { query: { limit: 20, ...(asked && { query: asked }) } }),
    placeholderData: keepPreviousData,
  });
  const found = users.data?.items ?? [];
  const known = value && !found.some(({ id }) => id === value.id) ? [value, ...found] : found;
  return (
    <Select
      label={t('skillPage.user')}
      placeholder={t('skillPage.searchUser')}
      value={value?.id ?? null}
      onChange={(chosen) => onChange(known.find(({ id }) => id === chosen))}
      searchable
      searchValue={search}
      onSearchChange={setSearch}
      // The server has already filtered.
      filter={({ options }) => options}
      nothingFoundMessage={t('skillPage.noSuchUser')}
      data={known.map((user) => ({ value: user.id, label: getLabel(user) }))}
    />
  );
}

function getLabel({ name, username }: User): string {
  return name === username ? name : `${name} (${username})`;
}
