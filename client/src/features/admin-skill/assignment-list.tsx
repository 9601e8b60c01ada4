import { IconLock } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { SearchField } from '../../ui/layout/search-field.tsx';
import { SwitchRow } from '../../ui/layout/switch-row.tsx';
import classes from './assignment-list.module.css';
import type { Assignment } from './assignments.ts';
import { skillPath } from './skill-path.ts';

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
export function AssignmentList({ kind, skill, assignments, onSwitch }: AssignmentListProps) {
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
