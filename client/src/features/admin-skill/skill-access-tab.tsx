import type { AdminSkillDetail } from '@knowhow/shared/skills/admin-skill';
import { WhoSees } from './access/who-sees.tsx';
import { SkillAssignments } from './skill-assignments.tsx';
import classes from './skill-tab.module.css';
import { TryAs } from './try-as.tsx';

/** Who gets a skill: where that is decided, what comes of it, and the proof. */
export function SkillAccessTab({ skill }: { skill: AdminSkillDetail }) {
  return (
    <div className={classes.tab}>
      <SkillAssignments skill={skill} />
      <WhoSees skill={skill} />
      <TryAs skill={skill} />
    </div>
  );
}
