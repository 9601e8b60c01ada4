import type { AdminSkill, ListedSkill } from '@knowhow/shared/skills/admin-skill';
import { Checkbox, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import rowClasses from '../../ui/layout/row-table.module.css';
import { StatusBadge } from '../../ui/layout/status-badge.tsx';
import { useRight } from '../../ui/rights.ts';
import { SortButton } from '../../ui/sort-button.tsx';
import { useFormat } from '../../ui/text/use-format.ts';
import { revealHiddenCharacters } from '../../ui/text/visible-text.ts';
import type { Density } from './density-switch.tsx';
import skillFactsClasses from './skill-facts.module.css';
import { Diagnostics, Reach } from './skill-facts.tsx';
import { firstOrder, type SkillSort, type SkillSorting } from './skill-filters.ts';
import {
  SkillBadges,
  SkillChoice,
  SkillFolder,
  SkillName,
  SkillSource,
  SkillSwitch,
} from './skill-parts.tsx';
import classes from './skill-table.module.css';
import { isSelectable, type Selection } from './use-selection.ts';

export interface SkillRowsProps {
  skills: ListedSkill[];
  selection: Selection;
  names: Record<'apps' | 'groups', { id: string; name: string }[]>;
  /** Whether there are several sources to distinguish. */
  namesSource: boolean;
  onToggle: (skill: AdminSkill, isOn: boolean) => void;
}

interface SkillTableProps extends SkillRowsProps {
  density: Density;
  sorting: SkillSorting;
  onSort: (sorting: SkillSorting) => void;
}

/** The skills as a table. */
export function SkillTable({ density, sorting, onSort, ...rows }: SkillTableProps) {
  return (
    <table className={`${rowClasses.table} ${classes.table}`} data-density={density}>
      <Head skills={rows.skills} selection={rows.selection} sorting={sorting} onSort={onSort} />
      <tbody>
        {rows.skills.map((skill) => (
          <Row key={skill.location + skill.checksum} {...rows} skill={skill} />
        ))}
      </tbody>
    </table>
  );
}

type HeadProps = Pick<SkillTableProps, 'skills' | 'selection' | 'sorting' | 'onSort'>;

function Head({ skills, selection, sorting, onSort }: HeadProps) {
  const { t } = useTranslation();
  const isManager = useRight('skills');
  const sorts = { sorting, onSort };
  return (
    <thead>
      <tr>
        {isManager && (
          <th className={classes.choice}>
            <AllChoice skills={skills} selection={selection} />
          </th>
        )}
        <SortHead sort="name" {...sorts}>
          {t('skillList.name')}
        </SortHead>
        <SortHead sort="status" className={classes.status} {...sorts}>
          {t('skillList.status')}
        </SortHead>
        <th className={classes.category}>{t('skillList.category')}</th>
        <th className={classes.diagnostics}>{t('skillList.diagnostics')}</th>
        <th className={classes.reach}>{t('adminPages.apps')}</th>
        <th className={classes.reach}>{t('adminPages.groups')}</th>
        <SortHead sort="uses" className={classes.uses} title={t('skillList.usesAbout')} {...sorts}>
          {t('skillList.uses')}
        </SortHead>
        <SortHead sort="used" className={classes.used} {...sorts}>
          {t('skillList.lastUsed')}
        </SortHead>
        <SortHead sort="updated" className={classes.updated} {...sorts}>
          {t('skillList.updated')}
        </SortHead>
        {isManager && (
          <th className={classes.switch}>
            <VisuallyHidden>{t('skillList.inUse')}</VisuallyHidden>
          </th>
        )}
      </tr>
    </thead>
  );
}

interface RowProps extends Omit<SkillRowsProps, 'skills'> {
  skill: ListedSkill;
}

function Row({ skill, selection, names, namesSource, onToggle }: RowProps) {
  const { date, relativeDate } = useFormat();
  const isManager = useRight('skills');
  const { description, category, tags, usage, updatedAt } = skill;
  return (
    <tr data-chosen={selection.has(skill) || undefined}>
      {isManager && (
        <td className={classes.choice}>
          <SkillChoice skill={skill} selection={selection} />
        </td>
      )}
      <td>
        <SkillName skill={skill}>{namesSource && <SkillSource skill={skill} />}</SkillName>
        <SkillBadges skill={skill} />
        <p className={classes.description}>{revealHiddenCharacters(description)}</p>
        <p className={classes.description}>
          <SkillFolder skill={skill} />
        </p>
      </td>
      <td className={classes.status}>
        <StatusBadge status={skill.status} />
      </td>
      <td className={classes.category}>
        {category && revealHiddenCharacters(category)}
        <p className={classes.description}>{tags.map(revealHiddenCharacters).join(', ')}</p>
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
      <td className={classes.uses}>
        <Uses usage={usage} />
      </td>
      <td className={classes.used}>
        <LastUsed usage={usage} />
      </td>
      <td className={classes.updated}>
        <time dateTime={updatedAt} title={date(updatedAt)}>
          {relativeDate(updatedAt)}
        </time>
      </td>
      {isManager && (
        <td className={classes.switch}>
          <SkillSwitch skill={skill} onToggle={onToggle} />
        </td>
      )}
    </tr>
  );
}

function AllChoice({ skills, selection }: { skills: AdminSkill[]; selection: Selection }) {
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
  /** Explanation of the heading. */
  title?: string;
  children: ReactNode;
}

function SortHead({ sort, sorting, onSort, children, ...head }: SortHeadProps) {
  const isSorted = sorting.sort === sort;
  const isUp = sorting.order === 'asc';
  const sorted = isSorted ? (isUp ? 'ascending' : 'descending') : undefined;
  const turned = isUp ? 'desc' : 'asc';
  return (
    <th {...head} aria-sort={sorted}>
      <SortButton
        sorted={sorted}
        onSort={() => onSort({ sort, order: isSorted ? turned : firstOrder(sort) })}
      >
        {children}
      </SortButton>
    </th>
  );
}

/** Number of recent answers with the skill. */
function Uses({ usage }: Pick<ListedSkill, 'usage'>) {
  const { number } = useFormat();
  if (!usage) {
    return <NotCounted />;
  }
  return usage.uses === 0 ? <span className={skillFactsClasses.none}>0</span> : number(usage.uses);
}

/** When the skill was last active. */
function LastUsed({ usage }: Pick<ListedSkill, 'usage'>) {
  const { t } = useTranslation();
  const { date, relativeDate } = useFormat();
  if (!usage) {
    return <NotCounted />;
  }
  const { lastUsedAt } = usage;
  return lastUsedAt === undefined ? (
    <span className={skillFactsClasses.none}>{t('skillList.neverUsed')}</span>
  ) : (
    <time dateTime={lastUsedAt} title={date(lastUsedAt)}>
      {relativeDate(lastUsedAt)}
    </time>
  );
}

function NotCounted() {
  const { t } = useTranslation();
  return (
    <span className={skillFactsClasses.none} title={t('skillList.notCounted')}>
      <span aria-hidden>–</span>
      <VisuallyHidden>{t('skillList.notCounted')}</VisuallyHidden>
    </span>
  );
}
