import type { AdminSkillDetail } from '@knowhow/shared/skills/admin-skill';
import { useTranslation } from 'react-i18next';
import { Section } from '../../ui/layout/section.tsx';
import { LoadError } from '../../ui/loading/load-error.tsx';
import { useConfigItems } from '../../ui/use-config-items.ts';
import { AssignmentList } from './assignment-list.tsx';
import { type Assignment, appAssignments, groupAssignments } from './assignments.ts';
import { Rows } from './rows.tsx';
import classes from './skill-assignments.module.css';
import { useSkillUpdate } from './use-skill-update.ts';

/** The apps that offer a skill, and the groups that may use it. */
export function SkillAssignments({ skill }: { skill: AdminSkillDetail }) {
  const { t, i18n } = useTranslation();
  const { update } = useSkillUpdate(skill);
  const apps = useConfigItems('apps');
  const groups = useConfigItems('groups');
  const { listedInApps, grantedByGroups, displayName } = skill;

  function switchApp({ id, name }: Assignment, isOn: boolean) {
    const changed = setAssigned(listedInApps, id, isOn);
    update({
      change: { apps: changed },
      shown: { listedInApps: changed },
      done: {
        message: isOn
          ? t('skillPage.nowInApp', { name: displayName, app: name })
          : t('skillPage.notInApp', { name: displayName, app: name }),
        back: (now) => ({ apps: setAssigned(now.listedInApps, id, !isOn) }),
      },
    });
  }

  function switchGroup({ id, name }: Assignment, isOn: boolean) {
    const changed = setAssigned(grantedByGroups, id, isOn);
    update({
      change: { groups: changed },
      shown: { grantedByGroups: changed },
      done: {
        message: isOn
          ? t('skillPage.nowGranted', { name: displayName, group: name })
          : t('skillPage.notGranted', { name: displayName, group: name }),
        back: (now) => ({ groups: setAssigned(now.grantedByGroups, id, !isOn) }),
      },
    });
  }

  return (
    <Section title={t('skillPage.assignments')} text={t('skillPage.assignmentsText')}>
      <LoadError queries={[apps, groups]} />
      <div className={classes.lists}>
        {apps.data ? (
          <AssignmentList
            kind="apps"
            skill={skill.name}
            assignments={appAssignments(skill, apps.data, i18n.language)}
            onSwitch={switchApp}
          />
        ) : (
          <Rows />
        )}
        {groups.data ? (
          <AssignmentList
            kind="groups"
            skill={skill.name}
            assignments={groupAssignments(skill, groups.data)}
            onSwitch={switchGroup}
          />
        ) : (
          <Rows />
        )}
      </div>
    </Section>
  );
}

function setAssigned(ids: readonly string[], id: string, isIn: boolean): string[] {
  const others = ids.filter((other) => other !== id);
  return isIn ? [...others, id] : others;
}
