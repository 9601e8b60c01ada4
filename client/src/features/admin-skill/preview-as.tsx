import type { User } from '@knowhow/shared/access/admin-users';
import { adminApi } from '@knowhow/shared/config/admin';
import { Problem } from '@knowhow/shared/problem';
import type { AdminSkillDetail } from '@knowhow/shared/skills/admin-skill';
import { Checkbox, NativeSelect, SegmentedControl } from '@mantine/core';
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
import { UserSelect } from './user-select.tsx';

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
