import type { AdminSkillDetail } from '@knowhow/shared/skills/admin-skill';
import { IconLock } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { SearchField } from '../../ui/layout/search-field.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { SwitchRow } from '../../ui/layout/switch-row.tsx';
import { LoadError } from '../../ui/loading/load-error.tsx';
import { useConfigItems } from '../../ui/use-config-items.ts';
import { type Assignment, appAssignments, groupAssignments } from './assignments.ts';
import { Rows } from './rows.tsx';
import classes from './skill-assignments.module.css';
import { skillPath } from './skill-path.ts';
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

interface AssignmentListProps {
  kind: 'apps' | 'groups';
  /** The name of the skill. */
  skill: string;
  assignments: Assignment[];
  onSwitch: (assignment: Assignment, isOn: boolean) => void;
}

/** With fewer rows, scanning is faster than searching. */
const searchFrom = 10;

/** Apps or groups with switches to assign the skill. */
function AssignmentList({ kind, skill, assignments, onSwitch }: AssignmentListProps) {
  const { t } = useTranslation();
  const [search, setSearch] = useState('');
  const words = search.toLowerCase();
  const shown = assignments.filter(({ id, name }) =>
    `${id}\n${name}`.toLowerCase().includes(words),
  );
  const texts = kinds[kind];
  return (
    <div className={classes.part}>
      <h3>{t(texts.title)}</h3>
      {assignments.length > searchFrom && (
        <SearchField label={t(texts.search)} value={search} onChange={setSearch} />
      )}
      <div className={classes.box}>
        {shown.map((assignment) => (
          <SwitchRow
            key={assignment.id}
            label={assignment.name}
            text={<Reason kind={kind} skill={skill} assignment={assignment} />}
            checked={assignment.isDirect || isInherited(assignment)}
            isLocked={isLocked(assignment)}
            disabled={!assignment.isDirect && assignment.isBroken}
            onChange={(isOn) => onSwitch(assignment, isOn)}
          />
        ))}
        {shown.length === 0 && <p className={classes.none}>{t(texts.none)}</p>}
      </div>
    </div>
  );
}

function isInherited({ otherwise }: Assignment): boolean {
  return otherwise !== undefined && otherwise !== 'excluded';
}

/** Assigned only indirectly, so the switch would have no effect. */
function isLocked(assignment: Assignment): boolean {
  return !assignment.isDirect && isInherited(assignment);
}

interface ReasonProps {
  kind: 'apps' | 'groups';
  skill: string;
  assignment: Assignment;
}

/** The ID, and what else decides, with a link to change it. */
function Reason({ kind, skill, assignment }: ReasonProps) {
  const { t } = useTranslation();
  const { id, otherwise, isBroken } = assignment;
  const page = getItemPath(kind, id);
  return (
    <>
      <Link to={page}>{id}</Link>
      {isBroken && <> · {t('skillPage.brokenFile')}</>}
      {otherwise !== undefined && ' · '}
      {isLocked(assignment) && <IconLock className={classes.lock} size={13} aria-hidden />}
      {otherwise === 'all' && <Link to={page}>{t(allTexts[kind])}</Link>}
      {otherwise === 'category' && <Link to={page}>{t('skillPage.grantsCategory')}</Link>}
      {otherwise === 'global' && <Link to={skillPath(skill)}>{t('skillPage.offersGlobal')}</Link>}
      {otherwise === 'excluded' && <Link to={page}>{t('skillPage.excludes')}</Link>}
      {typeof otherwise === 'object' && (
        <Link to={getItemPath('groups', otherwise.group)}>
          {t('skillPage.inherits', { group: otherwise.inheritedFrom })}
        </Link>
      )}
    </>
  );
}

function getItemPath(kind: 'apps' | 'groups', id: string): string {
  return `/admin/${kind}/${encodeURIComponent(id)}`;
}

const allTexts = { apps: 'skillPage.offersAll', groups: 'skillPage.grantsAll' } as const;

const kinds = {
  apps: {
    title: 'skillPage.apps',
    search: 'skillPage.searchApps',
    none: 'skillPage.noSuchApp',
  },
  groups: {
    title: 'skillPage.groups',
    search: 'skillPage.searchGroups',
    none: 'skillPage.noSuchGroup',
  },
} as const;
