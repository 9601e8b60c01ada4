import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { SearchField } from '../../ui/search-field.tsx';
import { SwitchRow } from '../../ui/switch-row.tsx';
import classes from './assignment-list.module.css';
import type { Assignment } from './assignments.ts';

interface AssignmentListProps {
  kind: 'apps' | 'groups';
  assignments: Assignment[];
  onSwitch: (assignment: Assignment, isOn: boolean) => void;
}

/** With fewer rows the eye is quicker than a search. */
const searchFrom = 10;

/** Apps or groups with a switch each: whether they name the skill. */
export function AssignmentList({ kind, assignments, onSwitch }: AssignmentListProps) {
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
            text={<Reason kind={kind} assignment={assignment} />}
            checked={assignment.isDirect || isInherited(assignment)}
            disabled={!assignment.isDirect && (isInherited(assignment) || assignment.isBroken)}
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

/** The id, and what else than the switch decides. */
function Reason({ kind, assignment }: { kind: 'apps' | 'groups'; assignment: Assignment }) {
  const { t } = useTranslation();
  const { id, otherwise, isBroken } = assignment;
  const page = `/admin/${kind}/${encodeURIComponent(id)}`;
  return (
    <>
      <Link to={page}>{id}</Link>
      {isBroken && <> · {t('skillPage.brokenFile')}</>}
      {otherwise === 'all' && (
        <> · {kind === 'apps' ? t('skillPage.offersAll') : t('skillPage.grantsAll')}</>
      )}
      {otherwise === 'global' && <> · {t('skillPage.offersGlobal')}</>}
      {otherwise === 'excluded' && <> · {t('skillPage.excludes')}</>}
      {typeof otherwise === 'object' && (
        <> · {t('skillPage.inherits', { group: otherwise.inheritedFrom })}</>
      )}
    </>
  );
}

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
