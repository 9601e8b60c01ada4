import type { AdminSkillDetail } from '@knowhow/shared/skills/admin-skill';
import { revealHiddenCharacters } from '../../../ui/text/visible-text.ts';
import { DangerZone } from '../settings/danger-zone.tsx';
import { SkillLabels } from '../settings/skill-labels.tsx';
import { SkillSettings } from '../settings/skill-settings.tsx';
import { SkillToolSettings } from '../settings/skill-tool-settings.tsx';
import { ShadowedSkills } from '../shadowed-skills.tsx';
import { SkillDiagnostics } from './skill-diagnostics.tsx';
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
