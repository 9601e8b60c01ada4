import type { Activation, activationVia } from '@knowhow/shared/chat';
import { countTokens } from '../lib/count-tokens.ts';
import { renderSkillContent } from './render-skill-content.ts';
import type { SkillView, VisibleSkill } from './skill-view.ts';

/** The skills in force in a conversation, oldest first, by name. */
export type ActiveSkills = Map<string, ActiveSkill>;

export interface ActiveSkill {
  activation: Activation;
  /** The instructions as the model gets them. */
  content: string;
}

export type ActivationResult =
  | { state: 'activated'; skill: ActiveSkill }
  | { state: 'already-active'; name: string }
  | { state: 'too-many' }
  | { state: 'not-available' };

interface ActivationRequest {
  view: SkillView;
  active: ActiveSkills;
  maxActiveSkills: number;
  name: string;
  via: (typeof activationVia)[number];
}

/**
 * Puts a skill into force: the only way in, whoever asks. The same content is not loaded twice;
 * changed content replaces the old.
 */
export async function activateSkill(request: ActivationRequest): Promise<ActivationResult> {
  const { view, active, maxActiveSkills, name, via } = request;
  const skill = view.find(name);
  if (!skill) {
    return { state: 'not-available' };
  }
  const present = active.get(skill.id);
  if (present?.activation.checksum === skill.checksum) {
    return { state: 'already-active', name: skill.id };
  }
  if (!present && active.size >= maxActiveSkills) {
    return { state: 'too-many' };
  }
  const content = await loadContent(view, skill);
  const activated: ActiveSkill = {
    activation: {
      name: skill.id,
      description: skill.description,
      via,
      tokens: await countTokens(content),
      checksum: skill.checksum,
    },
    content,
  };
  active.set(skill.id, activated);
  return { state: 'activated', skill: activated };
}

/** Brings a stored activation back for a new turn; undefined when it is no longer to be seen. */
export async function reloadSkill(
  view: SkillView,
  stored: Activation,
): Promise<ActiveSkill | undefined> {
  const skill = view.find(stored.name);
  if (!skill) {
    return undefined;
  }
  const content = await loadContent(view, skill);
  return { activation: { ...stored, checksum: skill.checksum }, content };
}

async function loadContent(view: SkillView, skill: VisibleSkill): Promise<string> {
  const [body, files] = await Promise.all([view.readBody(skill), view.listFiles(skill)]);
  return renderSkillContent(skill.id, body, files);
}
