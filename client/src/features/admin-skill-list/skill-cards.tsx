import { useTranslation } from 'react-i18next';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { useFormat } from '../../ui/use-format.ts';
import { visibleText } from '../../ui/visible-text.ts';
import classes from './skill-cards.module.css';
import { Reach, Remarks } from './skill-facts.tsx';
import { SkillChoice, SkillName, SkillSwitch } from './skill-parts.tsx';
import type { SkillRowsProps } from './skill-table.tsx';
import { sourceNames } from './source-names.ts';

/** The skills on a phone, one a card. */
export function SkillCards({ skills, selection, names, onToggle }: SkillRowsProps) {
  const { t } = useTranslation();
  const { relativeDate } = useFormat();
  return (
    <ul className={classes.cards}>
      {skills.map((skill) => (
        <li
          key={skill.place + skill.checksum}
          className={classes.card}
          data-chosen={selection.has(skill) || undefined}
        >
          <div className={classes.head}>
            <SkillChoice skill={skill} selection={selection} />
            <div className={classes.name}>
              <SkillName skill={skill} />
            </div>
            <SkillSwitch skill={skill} onToggle={onToggle} />
          </div>
          <p className={classes.description}>{visibleText(skill.description)}</p>
          <div className={classes.facts}>
            <StatusBadge status={skill.status} />
            <span>{t(sourceNames[skill.source])}</span>
            {skill.diagnostics.length > 0 && <Remarks diagnostics={skill.diagnostics} />}
            <span>{relativeDate(skill.updatedAt)}</span>
          </div>
          <div className={classes.facts}>
            <Reach kind="apps" skill={skill} named={names.apps} isLong />
            <Reach kind="groups" skill={skill} named={names.groups} isLong />
          </div>
        </li>
      ))}
    </ul>
  );
}
