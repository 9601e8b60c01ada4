import { adminUsersApi, type User } from '@knowhow/shared/access/admin-users';
import { adminApi, type Trial } from '@knowhow/shared/config/admin';
import { Problem } from '@knowhow/shared/problem';
import type { AdminSkillDetail } from '@knowhow/shared/skills/admin-skill';
import { Checkbox, NativeSelect, SegmentedControl, Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconX } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { query } from '../../api/query.ts';
import { Bolt } from '../../ui/bolt.tsx';
import { Expander } from '../../ui/layout/expander.tsx';
import { ScrollingGroup } from '../../ui/layout/scrolling-group.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { useRight } from '../../ui/rights.ts';
import { CopyButton } from '../../ui/text/copy-button.tsx';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import { useFormat } from '../../ui/text/use-format.ts';
import { useConfigItems } from '../../ui/use-config-items.ts';
import { appAssignments, groupAssignments } from './assignments.ts';
import classes from './preview-as.module.css';
import { Rows } from './rows.tsx';

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

interface TrialResultProps {
  skill: AdminSkillDetail;
  trial: Trial;
}

/** The exact prompt that a model would receive, and whether it contains the skill. */
function PreviewResult({ skill: { name, displayName }, trial }: TrialResultProps) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const found = trial.skills.find((skill) => skill.name === name);
  const { tokens, trimmed, skills, tools, model } = trial;
  return (
    <div className={classes.result}>
      <p className={classes.verdict} role="status">
        {found ? <Bolt size={18} /> : <IconX size={18} aria-hidden />}
        {t(getVerdict(found), { name: displayName })}
      </p>
      <p className={classes.facts}>
        {t('skillPage.trialTokens', {
          catalogue: number(tokens.catalogue),
          system: number(tokens.system),
        })}{' '}
        {model !== undefined && t('skillPage.trialModel', { model })}{' '}
        {trimmed !== 'not' && t(trims[trimmed])}
      </p>
      <Expander summary={t('skillPage.trialSkills', { count: skills.length })}>
        <Names items={skills} mark={name} />
      </Expander>
      <Expander summary={t('skillPage.trialTools', { count: tools.length })}>
        <Names items={tools} />
      </Expander>
      <Quotation label={t('skillPage.catalogue')} text={trial.catalogue} />
      {trial.withoutAppText && <p className={classes.facts}>{t('skillPage.withoutAppText')}</p>}
      <Quotation label={t('skillPage.systemPrompt')} text={trial.system} />
    </div>
  );
}

function getVerdict(found: Trial['skills'][number] | undefined) {
  if (!found) {
    return 'skillPage.isNotThere';
  }
  if (found.isAlwaysUsed) {
    return 'skillPage.isAlwaysUsed';
  }
  return found.inCatalogue ? 'skillPage.isInCatalogue' : 'skillPage.isOnlyPicked';
}

const trims = {
  descriptions: 'skillPage.trimmedDescriptions',
  'names-only': 'skillPage.trimmedToNames',
  ranked: 'skillPage.trimmedToRanked',
} as const;

interface NamesProps {
  items: { name: string; description: string }[];
  /** The name to look for. */
  mark?: string;
}

function Names({ items, mark }: NamesProps) {
  return (
    <ul className={classes.names}>
      {items.map(({ name, description }) => (
        <li key={name}>
          <code data-marked={name === mark || undefined}>{name}</code> {description}
        </li>
      ))}
    </ul>
  );
}

function Quotation({ label, text }: { label: string; text: string }) {
  if (text === '') {
    return null;
  }
  return (
    <Expander summary={label}>
      <div className={classes.quotation}>
        <div className={classes.copy}>
          <CopyButton textOf={() => text} />
        </div>
        <ScrollingGroup className={classes.quoted} label={label}>
          <pre>{text}</pre>
        </ScrollingGroup>
      </div>
    </Expander>
  );
}
