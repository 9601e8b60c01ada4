import type { ListedSkill } from '@knowhow/shared/skills/admin-skill';
import { VisuallyHidden } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../ui/text/use-format.ts';
import classes from './skill-facts.module.css';

/** Number of recent answers with the skill. */
export function Uses({ usage }: Pick<ListedSkill, 'usage'>) {
  const { number } = useFormat();
  if (!usage) {
    return <NotCounted />;
  }
  return usage.uses === 0 ? <span className={classes.none}>0</span> : number(usage.uses);
}

/** When the skill was last active. */
export function LastUsed({ usage }: Pick<ListedSkill, 'usage'>) {
  const { t } = useTranslation();
  const { date, relativeDate } = useFormat();
  if (!usage) {
    return <NotCounted />;
  }
  const { lastUsedAt } = usage;
  return lastUsedAt === undefined ? (
    <span className={classes.none}>{t('skillList.neverUsed')}</span>
  ) : (
    <time dateTime={lastUsedAt} title={date(lastUsedAt)}>
      {relativeDate(lastUsedAt)}
    </time>
  );
}

function NotCounted() {
  const { t } = useTranslation();
  return (
    <span className={classes.none} title={t('skillList.notCounted')}>
      <span aria-hidden>–</span>
      <VisuallyHidden>{t('skillList.notCounted')}</VisuallyHidden>
    </span>
  );
}
