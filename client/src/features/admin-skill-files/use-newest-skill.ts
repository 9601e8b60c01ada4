import type { AdminSkillDetail } from '@knowhow/shared/skills/admin-skill';
import { useState } from 'react';

/**
 * The given skill, or the result of our own last write if that is newer. The given one may be updated a moment
 * later, and the page must not fall back to old data meanwhile.
 */
export function useNewestSkill(
  given: AdminSkillDetail,
  onChanged: (skill: AdminSkillDetail) => void,
): [AdminSkillDetail, (changed: AdminSkillDetail) => void] {
  const [known, setKnown] = useState({ given, newest: given });
  if (known.given !== given) {
    setKnown({ given, newest: given });
  }

  function change(changed: AdminSkillDetail) {
    setKnown((before) => ({ ...before, newest: changed }));
    onChanged(changed);
  }

  return [known.given === given ? known.newest : given, change];
}
