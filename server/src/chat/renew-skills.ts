import type { EndReason } from '@knowhow/shared/chat';
import { reloadSkill } from '../skills/activate-skill.ts';
import type { SkillView } from '../skills/skill-view.ts';
import type { EndedSkill } from './begin-turn.ts';
import type { TurnSkills } from './render-request.ts';
import type { TurnMessages } from './turn-messages.ts';

interface Renewal {
  view: SkillView;
  usesTools: boolean;
  /** Names of those that the conversation still has. */
  stored: ReadonlySet<string>;
  skills: TurnSkills;
  messages: TurnMessages;
}

/**
 * Looks at the skills of a turn again. What its user has ended and what is not to be seen any more
 * leaves the skills and the messages; of what has changed, the text of now replaces the old one.
 * Answers what has ended.
 */
export async function renewSkills(renewal: Renewal): Promise<EndedSkill[]> {
  const { view, skills, messages } = renewal;
  const ended: EndedSkill[] = [];
  for (const name of [...skills.active.keys()]) {
    const reason = await renewSkill(name, renewal);
    if (reason) {
      skills.active.delete(name);
      skills.standing.delete(name);
      messages.withdraw(name, reason);
      ended.push({ name, reason });
    }
  }
  for (const name of messages.skills()) {
    if (view.find(name) === undefined) {
      messages.withdraw(name, 'not-available');
    }
  }
  return ended;
}

/** Why it has ended, if it has. */
async function renewSkill(
  name: string,
  { view, usesTools, stored, skills: { active }, messages }: Renewal,
): Promise<EndReason | undefined> {
  const known = active.get(name);
  if (!known || !stored.has(name)) {
    return 'user';
  }
  const skill = view.find(name);
  if (skill?.checksum === known.activation.checksum) {
    return undefined;
  }
  const reloaded = skill && (await reloadSkill(view, known.activation, usesTools));
  if (!reloaded) {
    return 'not-available';
  }
  active.set(name, reloaded);
  messages.replace(name, reloaded.content);
  return undefined;
}
