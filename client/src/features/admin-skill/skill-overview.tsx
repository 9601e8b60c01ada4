import type { AdminSkillDetail } from '@knowhow/shared/admin-skill';
import { visibleText } from '../../ui/visible-text.ts';
import { DangerZone } from './danger-zone.tsx';
import { HiddenSkills } from './hidden-skills.tsx';
import { SkillDiagnostics } from './skill-diagnostics.tsx';
import { SkillFacts } from './skill-facts.tsx';
import { SkillInstructions } from './skill-instructions.tsx';
import classes from './skill-overview.module.css';
import { SkillScripts } from './skill-scripts.tsx';
import { SkillSettings } from './skill-settings.tsx';
import { SkillToolSettings } from './skill-tool-settings.tsx';

/** What a skill is, what is to be said about it, and what an admin decides on it. */
export function SkillOverview({ skill }: { skill: AdminSkillDetail }) {
  return (
    <div className={classes.overview}>
      <div className={classes.main}>
        {skill.description && <p className={classes.lead}>{visibleText(skill.description)}</p>}
        <SkillDiagnostics skill={skill} />
        <SkillInstructions skill={skill} />
        <SkillSettings skill={skill} />
        <SkillScripts skill={skill} />
        <SkillToolSettings skill={skill} />
        <HiddenSkills skill={skill} />
      </div>
      <SkillFacts skill={skill} />
      {skill.writable && <DangerZone skill={skill} />}
    </div>
  );
}
