import type { AdminSkillDetail } from '@knowhow/shared/skills/admin-skill';
import { EffectiveAccess } from './access/effective-access.tsx';
import { PreviewAs } from './preview-as.tsx';
import { SkillAssignments } from './skill-assignments.tsx';
import classes from './skill-tab.module.css';

/** Assignments of a skill, the effective access, and a preview. */
export function SkillAccessTab({ skill }: { skill: AdminSkillDetail }) {
  return (
    <div className={classes.tab}>
      <SkillAssignments skill={skill} />
      <EffectiveAccess skill={skill} />
      <PreviewAs skill={skill} />
    </div>
  );
}
