import type { AdminSkillDetail } from '@knowhow/shared/skills/admin-skill';
import { WhoSees } from './access/who-sees.tsx';
import { SkillAssignments } from './skill-assignments.tsx';
import classes from './skill-tab.module.css';
import { TryAs } from './try-as.tsx';

/** Assignments of a skill, the effective access, and a preview. */
export function SkillAccessTab({ skill }: { skill: AdminSkillDetail }) {
  return (
    <div className={classes.tab}>
      <SkillAssignments skill={skill} />
      <WhoSees skill={skill} />
      <TryAs skill={skill} />
    </div>
  );
}
