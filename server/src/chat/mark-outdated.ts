import type { Activation, ChatEvent } from '@knowhow/shared/chat/chat';
import type { Conversation } from '@knowhow/shared/chat/conversations';
import type { Caller } from '../access/caller.ts';
import type { Contents } from '../content/contents.ts';
import type { Records } from '../conversations/records.ts';
import type { SkillStore } from '../skill-store/skill-store.ts';
import type { SkillView } from '../skills/skill-view.ts';
import { viewInApp } from './view-in-app.ts';

interface Dependencies {
  contents: () => Contents;
  skills: SkillStore;
}

/** Says of the active skills which have been changed since. What the caller does not see is not judged. */
export function markOutdated(
  conversation: Conversation,
  caller: Caller,
  dependencies: Dependencies,
): Conversation {
  const { activeSkills, appId } = conversation;
  const view = activeSkills.length === 0 ? undefined : viewInApp(caller, appId, dependencies);
  if (!view) {
    return conversation;
  }
  return {
    ...conversation,
    activeSkills: activeSkills.map((skill) =>
      hasChanged(skill, view) ? { ...skill, isOutdated: true } : skill,
    ),
  };
}

function hasChanged({ name, checksum }: Activation, view: SkillView): boolean {
  const skill = view.find(name);
  return skill !== undefined && skill.checksum !== checksum;
}

/** Yields what has come to be, or no longer is, behind its skill since this was last asked for. */
export function* outdatedEvents(
  { activations }: Records,
  { view }: { view: SkillView },
): Generator<ChatEvent> {
  for (const record of activations.filter(({ end }) => !end)) {
    const { isOutdated: wasOutdated = false, name } = record.activation;
    const isOutdated = hasChanged(record.activation, view);
    if (isOutdated !== wasOutdated) {
      record.activation = { ...record.activation, isOutdated };
      yield { type: 'skill.outdated', name, isOutdated };
    }
  }
}
