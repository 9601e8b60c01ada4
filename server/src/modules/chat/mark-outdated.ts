import type { Activation, ChatEvent } from '@knowhow/shared/chat/chat';
import type { Conversation } from '@knowhow/shared/chat/conversations';
import type { Contents } from '../content/contents.ts';
import type { Records } from '../conversations/records.ts';
import type { Caller } from '../identity/caller.ts';
import type { SkillView } from '../skills/skill-view.ts';
import type { SkillStore } from '../skills/store/skill-store.ts';
import { viewInApp } from './view-in-app.ts';

interface Dependencies {
  contents: () => Contents;
  skills: SkillStore;
}

/** Marks the active skills that have changed since their activation. Skills that the caller cannot see are skipped. */
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

/** Yields an event for each active skill that became outdated, or current again, since the last check. */
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
