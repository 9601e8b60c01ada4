import type { AdminSkillDetail } from '@knowhow/shared/skills/admin-skill';
import { useState } from 'react';

/**
 * The skill as given, or as our own last write answered it: what was given may take a moment to
 * follow, and meanwhile nothing on the page may fall back to what was before.
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
