import { useTranslation } from 'react-i18next';
import { StatusBadge } from '../../ui/layout/status-badge.tsx';
import { useRight } from '../../ui/rights.ts';
import { useFormat } from '../../ui/text/use-format.ts';
import { revealHiddenCharacters } from '../../ui/text/visible-text.ts';
import classes from './skill-cards.module.css';
import { Diagnostics, Reach } from './skill-facts.tsx';
import {
  SkillBadges,
  SkillChoice,
  SkillFolder,
  SkillName,
  SkillSource,
  SkillSwitch,
} from './skill-parts.tsx';
import type { SkillRowsProps } from './skill-table.tsx';

/** The skills as cards, for phones. */
export function SkillCards({ skills, selection, names, namesSource, onToggle }: SkillRowsProps) {
  const { t } = useTranslation();
  const { relativeDate } = useFormat();
  const isManager = useRight('skills');
  return (
    <ul className={classes.cards}>
      {skills.map((skill) => (
        <li
          key={skill.location + skill.checksum}
          className={classes.card}
          data-chosen={selection.has(skill) || undefined}
        >
          <div className={classes.head}>
            {isManager && <SkillChoice skill={skill} selection={selection} />}
            <div className={classes.name}>
              <SkillName skill={skill} />
            </div>
            {isManager && <SkillSwitch skill={skill} onToggle={onToggle} />}
          </div>
          <SkillBadges skill={skill} />
          <p className={classes.description}>{revealHiddenCharacters(skill.description)}</p>
          <div className={classes.facts}>
            <StatusBadge status={skill.status} />
            {namesSource && <SkillSource skill={skill} />}
            {skill.category && (
              <span className={classes.badge}>{revealHiddenCharacters(skill.category)}</span>
            )}
            {skill.diagnostics.length > 0 && <Diagnostics diagnostics={skill.diagnostics} />}
          </div>
          <Tags tags={skill.tags} />
          <div className={classes.facts}>
            <SkillFolder skill={skill} />
          </div>
          {skill.usage && (
            <div className={classes.facts}>
              {skill.usage.lastUsedAt === undefined
                ? t('skillList.neverUsed')
                : t('skillList.usedTimes', {
                    count: skill.usage.uses,
                    when: relativeDate(skill.usage.lastUsedAt),
                  })}
            </div>
          )}
          <div className={classes.facts}>
            <Reach kind="apps" skill={skill} named={names.apps} isLong />
            <Reach kind="groups" skill={skill} named={names.groups} isLong />
          </div>
        </li>
      ))}
    </ul>
  );
}

/** Only the first of many tags are shown. */
const mostShown = 6;

function Tags({ tags }: { tags: readonly string[] }) {
  const { t } = useTranslation();
  const shown = tags.slice(0, mostShown);
  if (shown.length === 0) {
    return null;
  }
  return (
    <ul className={classes.tags} aria-label={t('skillPage.tags')}>
      {shown.map((tag) => (
        <li key={tag}>{revealHiddenCharacters(tag)}</li>
      ))}
      {tags.length > shown.length && (
        <li>{t('skillList.moreTags', { count: tags.length - shown.length })}</li>
      )}
    </ul>
  );
}
