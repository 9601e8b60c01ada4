import type { AdminSkillDetail, SkillStatus } from '@knowhow/shared/skills/admin-skill';
import { IconCheck } from '@tabler/icons-react';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { DiagnosticsList } from '../../../ui/diagnostics-list.tsx';
import { Section } from '../../../ui/layout/section.tsx';
import { skillFilePath } from '../skill-path.ts';
import { WriteError } from '../write-error.tsx';
import { lacksDescription } from './own-description.ts';
import classes from './skill-diagnostics.module.css';
import { useFix } from './use-fix.ts';

/** Errors, warnings and hints of a skill. */
export function SkillDiagnostics({ skill }: { skill: AdminSkillDetail }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const fix = useFix(skill);
  const container = useRef<HTMLDivElement>(null);
  const { diagnostics, writable, status, name } = skill;
  const texts: Partial<Record<SkillStatus, string>> = {
    broken: t('skillPage.brokenText'),
    shadowed: t('skillPage.shadowedText', { name }),
    off: lacksDescription(skill) ? t('skillPage.noDescriptionText') : undefined,
  };
  // The pressed button disappears with its diagnostic.
  const onFixed = () => container.current?.focus();

  return (
    <Section title={t('skillPage.diagnostics')} text={texts[status]}>
      <div ref={container} className={classes.diagnostics} tabIndex={-1}>
        {fix.error && <WriteError error={fix.error} onReloaded={fix.reset} />}
        {diagnostics.length === 0 ? (
          <p className={classes.none}>
            <IconCheck size={18} aria-hidden />
            {t('skillPage.noDiagnostics')}
          </p>
        ) : (
          <DiagnosticsList
            diagnostics={diagnostics}
            onFix={writable ? (code) => fix.mutate(code, { onSuccess: onFixed }) : undefined}
            fixing={fix.isPending ? fix.variables : undefined}
            onShowLine={(line) => navigate(`${skillFilePath(name, 'SKILL.md')}#L${line}`)}
          />
        )}
      </div>
    </Section>
  );
}
