import type { AdminSkill } from '@knowhow/shared/admin-skill';
import { Checkbox, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import rowClasses from '../../ui/row-table.module.css';
import { SortButton } from '../../ui/sort-button.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { useFormat } from '../../ui/use-format.ts';
import { visibleText } from '../../ui/visible-text.ts';
import { Diagnostics, Reach } from './skill-facts.tsx';
import { firstOrder, type SkillSort, type SkillSorting } from './skill-filters.ts';
import { SkillChoice, SkillName, SkillSwitch } from './skill-parts.tsx';
import classes from './skill-table.module.css';
import { sourceNames } from './source-names.ts';
import { isSelectable, type Selection } from './use-selection.ts';

export interface SkillRowsProps {
  skills: AdminSkill[];
  selection: Selection;
  names: Record<'apps' | 'groups', { id: string; name: string }[]>;
  onToggle: (skill: AdminSkill, isOn: boolean) => void;
}

interface SkillTableProps extends SkillRowsProps {
  sorting: SkillSorting;
  onSort: (sorting: SkillSorting) => void;
}

/** The skills as a table, one a row. */
export function SkillTable(props: SkillTableProps) {
  const { skills, selection, names, sorting, onToggle, onSort } = props;
  const { t } = useTranslation();
  const { bytes, date, relativeDate } = useFormat();
  return (
    <table className={`${rowClasses.table} ${classes.table}`}>
      <thead>
        <tr>
          <th className={classes.choice}>
            <AllChoice skills={skills} selection={selection} />
          </th>
          <SortHead sort="name" sorting={sorting} onSort={onSort}>
            {t('skillList.name')}
          </SortHead>
          <SortHead sort="source" className={classes.source} sorting={sorting} onSort={onSort}>
            {t('skillList.source')}
          </SortHead>
          <SortHead sort="status" className={classes.status} sorting={sorting} onSort={onSort}>
            {t('skillList.status')}
          </SortHead>
          <th className={classes.category}>{t('skillList.category')}</th>
          <th className={classes.diagnostics}>{t('skillList.diagnostics')}</th>
          <th className={classes.reach}>{t('adminPages.apps')}</th>
          <th className={classes.reach}>{t('adminPages.groups')}</th>
          <th className={classes.size}>{t('skillList.size')}</th>
          <SortHead sort="updated" className={classes.updated} sorting={sorting} onSort={onSort}>
            {t('skillList.updated')}
          </SortHead>
          <th className={classes.switch}>
            <VisuallyHidden>{t('skillList.inUse')}</VisuallyHidden>
          </th>
        </tr>
      </thead>
      <tbody>
        {skills.map((skill) => (
          <tr key={skill.location + skill.checksum} data-chosen={selection.has(skill) || undefined}>
            <td className={classes.choice}>
              <SkillChoice skill={skill} selection={selection} />
            </td>
            <td>
              <SkillName skill={skill} />
              <p className={classes.description}>{visibleText(skill.description)}</p>
            </td>
            <td className={classes.source}>
              <Source skill={skill} />
            </td>
            <td className={classes.status}>
              <StatusBadge status={skill.status} />
            </td>
            <td className={classes.category}>
              {skill.category && visibleText(skill.category)}
              <p className={classes.description}>{skill.tags.map(visibleText).join(', ')}</p>
            </td>
            <td className={classes.diagnostics}>
              <Diagnostics diagnostics={skill.diagnostics} />
            </td>
            <td className={classes.reach}>
              <Reach kind="apps" skill={skill} named={names.apps} />
            </td>
            <td className={classes.reach}>
              <Reach kind="groups" skill={skill} named={names.groups} />
            </td>
            <td className={classes.size}>{bytes(skill.bytes)}</td>
            <td className={classes.updated}>
              <time dateTime={skill.updatedAt} title={date(skill.updatedAt)}>
                {relativeDate(skill.updatedAt)}
              </time>
            </td>
            <td className={classes.switch}>
              <SkillSwitch skill={skill} onToggle={onToggle} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Where it comes from; of a plugin's, whether that is trusted. */
function Source({ skill: { source, plugin } }: { skill: AdminSkill }) {
  const { t } = useTranslation();
  return (
    <>
      {t(sourceNames[source])}
      {plugin && (
        <p className={classes.description}>
          {t(plugin.trusted ? 'plugins.trusted' : 'plugins.untrusted')}
        </p>
      )}
    </>
  );
}

function AllChoice({ skills, selection }: Pick<SkillRowsProps, 'skills' | 'selection'>) {
  const { t } = useTranslation();
  const selectable = skills.filter(isSelectable);
  const count = selectable.filter(selection.has).length;
  const isAll = count > 0 && count === selectable.length;
  return (
    <Checkbox
      aria-label={t('skillList.chooseAll')}
      disabled={selectable.length === 0}
      checked={isAll}
      indeterminate={count > 0 && !isAll}
      onChange={() => selection.set(selectable, !isAll)}
    />
  );
}

interface SortHeadProps extends Pick<SkillTableProps, 'sorting' | 'onSort'> {
  sort: SkillSort;
  className?: string | undefined;
  children: ReactNode;
}

function SortHead({ sort, sorting, onSort, className, children }: SortHeadProps) {
  const isSorted = sorting.sort === sort;
  const isUp = sorting.order === 'asc';
  const sorted = isSorted ? (isUp ? 'ascending' : 'descending') : undefined;
  const turned = isUp ? 'desc' : 'asc';
  return (
    <th className={className} aria-sort={sorted}>
      <SortButton
        sorted={sorted}
        onSort={() => onSort({ sort, order: isSorted ? turned : firstOrder(sort) })}
      >
        {children}
      </SortButton>
    </th>
  );
}
