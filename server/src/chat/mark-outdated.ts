import type { Conversation } from '@knowhow/shared/conversations';
import type { Caller } from '../access/caller.ts';
import type { Contents } from '../content/contents.ts';
import type { SkillStore } from '../skill-store/skill-store.ts';
import { createSkillView } from '../skills/skill-view.ts';
import { visibleApps } from './find-app.ts';

interface Dependencies {
  contents: () => Contents;
  skills: SkillStore;
}

/** Says of the active skills which have been changed since. What the caller does not see is not judged. */
export function markOutdated(
  conversation: Conversation,
  caller: Caller,
  { contents, skills: store }: Dependencies,
): Conversation {
  const { activeSkills, appId } = conversation;
  const state = contents();
  const app = visibleApps(caller, state).find(({ id }) => id === appId);
  if (activeSkills.length === 0 || !app) {
    return conversation;
  }
  const grant = caller.permissions.skills;
  const view = createSkillView({ store, config: state.skills, grant, apps: [app] });
  const isOutdated = ({ name, checksum }: (typeof activeSkills)[number]) => {
    const skill = view.find(name);
    return skill !== undefined && skill.checksum !== checksum;
  };
  return {
    ...conversation,
    activeSkills: activeSkills.map((skill) =>
      isOutdated(skill) ? { ...skill, isOutdated: true } : skill,
    ),
  };
}
