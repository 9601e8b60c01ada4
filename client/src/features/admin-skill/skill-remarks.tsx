import type { AdminSkillDetail, SkillStatus } from '@knowhow/shared/admin-skill';
import { IconCheck } from '@tabler/icons-react';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { DiagnosticsList } from '../../ui/diagnostics-list.tsx';
import { lacksDescription } from './own-description.ts';
import { Section } from './section.tsx';
import { skillFilePath } from './skill-path.ts';
import classes from './skill-remarks.module.css';
import { useMend } from './use-mend.ts';
import { WriteError } from './write-error.tsx';

/** What is wrong with a skill, or could be better. */
export function SkillRemarks({ skill }: { skill: AdminSkillDetail }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const mend = useMend(skill);
  const place = useRef<HTMLDivElement>(null);
  const { diagnostics, writable, status, name } = skill;
  const texts: Partial<Record<SkillStatus, string>> = {
    broken: t('skillPage.brokenText'),
    shadowed: t('skillPage.shadowedText', { name }),
    off: lacksDescription(skill) ? t('skillPage.noDescriptionText') : undefined,
  };
  // The button that was pressed goes with its remark.
  const onMended = () => place.current?.focus();

  return (
    <Section title={t('skillPage.remarks')} text={texts[status]}>
      <div ref={place} className={classes.remarks} tabIndex={-1}>
        {mend.error && <WriteError error={mend.error} onReloaded={mend.reset} />}
        {diagnostics.length === 0 ? (
          <p className={classes.none}>
            <IconCheck size={18} aria-hidden />
            {t('skillPage.noRemarks')}
          </p>
        ) : (
          <DiagnosticsList
            diagnostics={diagnostics}
            onMend={writable ? (code) => mend.mutate(code, { onSuccess: onMended }) : undefined}
            mending={mend.isPending ? mend.variables : undefined}
            onShowLine={(line) => navigate(`${skillFilePath(name, 'SKILL.md')}#L${line}`)}
          />
        )}
      </div>
    </Section>
  );
}
