import { setTimeout as wait } from 'node:timers/promises';
import type { Activation, activationVia } from '@knowhow/shared/chat/chat';
import { countTokens } from '../lib/count-tokens.ts';
import { fillArguments, takesArguments } from './fill-arguments.ts';
import { includeFiles } from './include-files.ts';
import { referTo, renderSkillContent } from './render-skill-content.ts';
import type { SkillView, VisibleSkill } from './skill-view.ts';

/** The active skills in a conversation, oldest first, by name. */
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
  /** What was written is too long for a body that repeats it so often. */
  | { state: 'too-long'; name: string }
  /** The instructions are longer than there is room. */
  | { state: 'no-room'; name: string }
  | { state: 'not-available' };

interface ActivationRequest {
  view: SkillView;
  active: ActiveSkills;
  maxActiveSkills: number;
  name: string;
  via: Via;
  /** Tokens that the instructions may have. */
  most: number;
  /**
   * Whether the model can read files: it is to read longer instructions in parts then. For one that cannot they
   * find no room, and files that shorter ones name are put in as long as there is some.
   */
  readsFiles: boolean;
  /** What the user wrote after `/name`: fills the placeholders of the instructions. */
  written?: string | undefined;
}

type Via = (typeof activationVia)[number];

/**
 * Activates a skill: the only way in, whoever asks. The same content is not loaded twice;
 * changed content, or content filled differently, replaces the old.
 */
export async function activateSkill(request: ActivationRequest): Promise<ActivationResult> {
  const { view, active, maxActiveSkills, name, via, written, most, readsFiles } = request;
  const skill = view.find(name);
  const present = skill && active.get(skill.id);
  if (!skill || !mayInvoke(skill, via, present !== undefined)) {
    return { state: 'not-available' };
  }
  const unchanged = present?.activation.checksum === skill.checksum;
  if (unchanged && written === undefined) {
    return { state: 'already-active', name: skill.id };
  }
  if (!present && active.size >= maxActiveSkills) {
    return { state: 'too-many' };
  }
  const loaded = await loadContent(view, skill, { written, room: readsFiles ? 0 : most });
  if (loaded === 'gone') {
    return { state: 'not-available' };
  }
  if (loaded === 'too-long') {
    return { state: 'too-long', name: skill.id };
  }
  const { content, filledWith } = loaded;
  if (unchanged && content === present.content) {
    return { state: 'already-active', name: skill.id };
  }
  const tokens = countTokens(content);
  const isTooLong = tokens > most;
  if (isTooLong && !readsFiles) {
    return { state: 'no-room', name: skill.id };
  }
  const shown = isTooLong ? referTo({ ...skill, name: skill.id }) : content;
  const activated: ActiveSkill = {
    activation: {
      name: skill.id,
      description: skill.description,
      via,
      tokens: isTooLong ? countTokens(shown) : tokens,
      checksum: skill.checksum,
      ...(filledWith === undefined ? {} : { arguments: filledWith }),
    },
    content: shown,
  };
  active.set(skill.id, activated);
  return { state: 'activated', skill: activated };
}

/** Reads the text of an activation again that was stored without; undefined when it is no longer to be seen. */
export async function reloadSkill(
  view: SkillView,
  stored: Activation,
): Promise<ActiveSkill | undefined> {
  const skill = view.find(stored.name);
  const loaded = skill ? await loadContent(view, skill, { written: stored.arguments }) : 'gone';
  if (!skill || typeof loaded === 'string') {
    return undefined;
  }
  return { activation: { ...stored, checksum: skill.checksum }, content: loaded.content };
}

/**
 * An author may keep a skill from users' hands, or from being picked without them. Once it is active, either
 * may ask for its newer text.
 */
function mayInvoke(skill: VisibleSkill, via: Via, isActive: boolean): boolean {
  const isNamed = via === 'slash' || via === 'api';
  return isActive || (isNamed ? skill.userInvocable : skill.modelInvocable);
}

/** How long a replacement may take. */
const replaceMs = 100;

interface Loaded {
  content: string;
  /** What was written, if there was a placeholder for it. */
  filledWith: string | undefined;
}

/** Gone is a folder of which the view does not know yet that it is no longer there. */
async function loadContent(
  view: SkillView,
  skill: VisibleSkill,
  { written, room = 0 }: { written?: string | undefined; room?: number },
): Promise<Loaded | 'gone' | 'too-long'> {
  const read = () => Promise.all([view.readBody(skill), view.listFiles(skill)]);
  // A folder that is being replaced by another is gone for a moment only.
  const found = await read().catch(() =>
    wait(replaceMs)
      .then(read)
      .catch(() => undefined),
  );
  if (!found) {
    return 'gone';
  }
  const [body, files] = found;
  const fills = written !== undefined && takesArguments(body, skill.declaresArguments);
  const filled = fills ? fillArguments(body, written) : body;
  if (filled === undefined) {
    return 'too-long';
  }
  const dependencies = skill.dependsOn.flatMap((name) => view.find(name) ?? []);
  const text = { name: skill.id, body: filled, files, dependencies, origin: skill.origin };
  const content = renderSkillContent(text);
  const left = room === 0 ? 0 : room - countTokens(content);
  const included = left > 0 ? await includeFiles({ view, skill, body, files, room: left }) : [];
  return {
    content: included.length > 0 ? renderSkillContent({ ...text, included }) : content,
    filledWith: filled === body ? undefined : written,
  };
}
