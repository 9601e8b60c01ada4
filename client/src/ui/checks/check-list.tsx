import type { CheckResult } from '@knowhow/shared/skills/publication-checks';
import {
  IconAlertTriangle,
  IconChevronDown,
  IconCircleCheck,
  IconCircleX,
} from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useSkillTexts } from '../text/use-skill-texts.ts';
import classes from './check-list.module.css';
import { checkLevelTexts, checkTexts } from './check-texts.ts';

interface CheckListProps {
  checks: CheckResult[];
}

/** Failed checks with their findings, required ones first, and those that passed, folded. */
export function CheckList({ checks }: CheckListProps) {
  const { t } = useTranslation();
  const failed = (['required', 'advisory'] as const).flatMap((level) =>
    checks.filter((check) => check.level === level && !check.passed),
  );
  const passed = checks.filter((check) => check.passed);
  return (
    <div className={classes.list}>
      {failed.length > 0 && (
        <ul className={classes.failed} aria-label={t('checks.failed', { count: failed.length })}>
          {failed.map((check) => (
            <FailedCheck key={check.id} check={check} />
          ))}
        </ul>
      )}
      {passed.length > 0 && <PassedChecks checks={passed} />}
    </div>
  );
}

function FailedCheck({ check: { id, level, findings, more } }: { check: CheckResult }) {
  const { t } = useTranslation();
  const { say } = useSkillTexts();
  const Icon = level === 'required' ? IconCircleX : IconAlertTriangle;
  return (
    <li className={classes.check} data-level={level}>
      <Icon className={classes.icon} size={18} aria-hidden />
      <div className={classes.text}>
        <p className={classes.name}>
          <strong>{t(checkTexts[id].name)}</strong>
          <span className={classes.level}>{t(checkLevelTexts[level])}</span>
        </p>
        <ul className={classes.findings}>
          {findings.map((finding) => (
            <li key={`${finding.path} ${finding.line} ${finding.message}`}>
              {finding.path !== undefined && <code>{finding.path}</code>}{' '}
              {say(finding, finding.code)}
              {finding.line !== undefined && !namesLine(finding) && (
                <span className={classes.line}>
                  {' '}
                  {t('adminParts.line', { line: finding.line })}
                </span>
              )}
            </li>
          ))}
          {more > 0 && <li>{t('checks.more', { count: more })}</li>}
        </ul>
      </div>
    </li>
  );
}

/** Whether the message itself names the line. */
function namesLine({ values }: CheckResult['findings'][number]): boolean {
  return values?.line !== undefined;
}

function PassedChecks({ checks }: CheckListProps) {
  const { t } = useTranslation();
  return (
    <details className={classes.passed}>
      <summary>
        <IconCircleCheck className={classes.icon} size={18} aria-hidden />
        {t('checks.passed', { count: checks.length })}
        <IconChevronDown className={classes.chevron} size={16} aria-hidden />
      </summary>
      <ul>
        {checks.map(({ id }) => (
          <li key={id}>
            <strong>{t(checkTexts[id].name)}</strong> {t(checkTexts[id].about)}
          </li>
        ))}
      </ul>
    </details>
  );
}
