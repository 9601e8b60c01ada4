import { problem } from '@knowhow/shared/problem';
import type { AdminSkillDetail, SkillStatus } from '@knowhow/shared/skills/admin-skill';
import { adminSkillsApi } from '@knowhow/shared/skills/admin-skills';
import { skillHistoryApi } from '@knowhow/shared/skills/skill-history';
import { IconCheck } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { call } from '../../../api/call.ts';
import { DiagnosticsList } from '../../../ui/diagnostics-list.tsx';
import { Section } from '../../../ui/layout/section.tsx';
import { revealHiddenCharacters } from '../../../ui/text/visible-text.ts';
import { useUndoToast } from '../../../ui/use-undo-toast.tsx';
import boxed from '../boxed-list.module.css';
import { useRestore } from '../history/use-restore.ts';
import { DangerZone } from '../settings/danger-zone.tsx';
import { SkillLabels } from '../settings/skill-labels.tsx';
import { SkillSettings } from '../settings/skill-settings.tsx';
import { SkillToolSettings } from '../settings/skill-tool-settings.tsx';
import { skillFilePath } from '../skill-path.ts';
import { useKeepSkill } from '../use-skill.ts';
import { WriteError } from '../write-error.tsx';
import { lacksDescription } from './own-description.ts';
import { SkillFacts } from './skill-facts.tsx';
import { SkillInstructions } from './skill-instructions.tsx';
import classes from './skill-overview.module.css';
import { SkillScripts } from './skill-scripts.tsx';

/** The overview of a skill: details, diagnostics and settings. */
export function SkillOverview({ skill }: { skill: AdminSkillDetail }) {
  return (
    <div className={classes.overview}>
      <div className={classes.main}>
        {skill.description && (
          <p className={classes.lead}>{revealHiddenCharacters(skill.description)}</p>
        )}
        <SkillDiagnostics skill={skill} />
        <SkillInstructions skill={skill} />
        <SkillSettings skill={skill} />
        {skill.writable && <SkillLabels skill={skill} />}
        <SkillScripts skill={skill} />
        <SkillToolSettings skill={skill} />
        <ShadowedSkills skill={skill} />
      </div>
      <SkillFacts skill={skill} />
      {skill.writable && <DangerZone skill={skill} />}
    </div>
  );
}

/** Skills with the same name that this one shadows. */
function ShadowedSkills({ skill: { hides, name } }: { skill: AdminSkillDetail }) {
  const { t } = useTranslation();
  if (hides.length === 0) {
    return null;
  }
  return (
    <Section title={t('skillPage.hides')} text={t('skillPage.hidesText', { name })}>
      <ul className={`${boxed.list} ${classes.list}`}>
        {hides.map(({ location, description }) => (
          <li key={location}>
            <code>{location}</code>
            <p>{description}</p>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** Errors, warnings and hints of a skill. */
function SkillDiagnostics({ skill }: { skill: AdminSkillDetail }) {
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

/** Lets the server fix a diagnostic by code; undo restores the previous version. */
function useFix({ name, checksum }: AdminSkillDetail) {
  const { t } = useTranslation();
  const keepSkill = useKeepSkill();
  const showUndo = useUndoToast();
  const restore = useRestore(name);

  async function undo(fixed: AdminSkillDetail) {
    const { items } = await call(skillHistoryApi.history, { params: { name } });
    const before = items.find((revision) => revision.checksum === checksum);
    if (!before) {
      throw problem('not-found', t('skillPage.historyTooShort'));
    }
    await restore({ revision: before.number, ifMatch: fixed.checksum });
  }

  return useMutation({
    mutationFn: (code: string) =>
      call(adminSkillsApi.fix, { params: { name }, body: { code } }, { ifMatch: checksum }),
    onSuccess: (fixed) => {
      void keepSkill(fixed);
      showUndo({ message: t('skillPage.fixed'), undo: () => undo(fixed) });
    },
  });
}
