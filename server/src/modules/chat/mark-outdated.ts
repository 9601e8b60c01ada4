import type { Activation } from '@knowhow/shared/chat/chat';
import type { Conversation } from '@knowhow/shared/chat/conversations';
import type { Contents } from '../content/index.ts';
import type { Records } from '../conversations/index.ts';
import type { Caller } from '../identity/index.ts';
import type { SkillStore, SkillView } from '../skills/index.ts';
import type { Journal } from './journal.ts';
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

/** Records which active skills became outdated, or current again, since the last check. */
export async function recordOutdated(
  { activations }: Records,
  view: SkillView,
  journal: Pick<Journal, 'record'>,
): Promise<void> {
  for (const record of activations.filter(({ end }) => !end)) {
    const isOutdated = hasChanged(record.activation, view);
    if (isOutdated !== (record.activation.isOutdated ?? false)) {
      await journal.record({ type: 'skill-outdated', record, isOutdated });
    }
  }
}
