import { setTimeout as wait } from 'node:timers/promises';
import type { Activation, activationVia } from '@knowhow/shared/chat/chat';
import { countTokens } from '@knowhow/shared/count-tokens';
import { escapeXml } from '@knowhow/shared/escape-xml';
import type { SkillFile } from '@knowhow/shared/skills/skills';
import { namedFiles } from '@knowhow/skill-format';
import { detectMediaType } from '../../platform/lib/media-type.ts';
import { fillArguments, takesArguments } from './fill-arguments.ts';
import { neutraliseTags } from './neutralise-tags.ts';
import { referTo, renderSkillContent } from './render-skill-content.ts';
import type { SkillView } from './skill-view.ts';
import type { VisibleSkill } from './visible-skill.ts';

/** The active skills in a conversation, oldest first, by name. */
export type ActiveSkills = Map<string, ActiveSkill>;

export interface ActiveSkill {
  activation: Activation;
  /** The instructions as sent to the model. */
  content: string;
}

export type ActivationResult =
  | { state: 'activated'; skill: ActiveSkill }
  | { state: 'already-active'; name: string }
  | { state: 'too-many' }
  /** The arguments are too long for a body that repeats them many times. */
  | { state: 'too-long'; name: string }
  /** The instructions exceed the token budget. */
  | { state: 'no-room'; name: string }
  | { state: 'not-available' };

interface ActivationRequest {
  view: SkillView;
  active: ActiveSkills;
  maxActiveSkills: number;
  name: string;
  via: Via;
  /** Maximum tokens of the instructions. */
  most: number;
  /**
   * Whether the model can read files. If so, it reads longer instructions in parts. Otherwise,
   * instructions must fit, and files that shorter ones name are included as far as the budget
   * allows.
   */
  readsFiles: boolean;
  /** The text after `/name`, which fills the placeholders of the instructions. */
  written?: string | undefined;
}

type Via = (typeof activationVia)[number];

/**
 * The only function that activates skills. The same content is not loaded twice; changed or
 * differently filled content replaces the old.
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
      ...versionOf(view, skill),
      ...(filledWith === undefined ? {} : { arguments: filledWith }),
    },
    content: shown,
  };
  active.set(skill.id, activated);
  return { state: 'activated', skill: activated };
}

/**
 * Loads the text of an activation that was stored without one; undefined if the skill is no longer
 * visible.
 */
export async function reloadSkill(
  view: SkillView,
  stored: Activation,
): Promise<ActiveSkill | undefined> {
  const skill = view.find(stored.name);
  const loaded = skill ? await loadContent(view, skill, { written: stored.arguments }) : 'gone';
  if (!skill || typeof loaded === 'string') {
    return undefined;
  }
  const { version: _, ...activation } = stored;
  return {
    activation: { ...activation, checksum: skill.checksum, ...versionOf(view, skill) },
    content: loaded.content,
  };
}

function versionOf(view: SkillView, skill: VisibleSkill): Pick<Activation, 'version'> {
  const version = view.getVersion(skill);
  return version ? { version } : {};
}

/**
 * Authors may exclude users, or automatic activation by models. Once a skill is active, both may
 * reload it.
 */
function mayInvoke(skill: VisibleSkill, via: Via, isActive: boolean): boolean {
  const isNamed = via === 'slash' || via === 'api';
  return isActive || (isNamed ? skill.userInvocable : skill.modelInvocable);
}

/** Retry delay for a folder that is being replaced. */
const retryMs = 100;

interface Loaded {
  content: string;
  /** The arguments, if there was a placeholder for them. */
  filledWith: string | undefined;
}

/** `gone` if the folder has been deleted, which the view does not know yet. */
async function loadContent(
  view: SkillView,
  skill: VisibleSkill,
  { written, room = 0 }: { written?: string | undefined; room?: number },
): Promise<Loaded | 'gone' | 'too-long'> {
  const read = () => Promise.all([view.readBody(skill), view.listFiles(skill)]);
  // While a folder is being replaced, it is missing only briefly.
  const found = await read().catch(() =>
    wait(retryMs)
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

/** Maximum number of files to read, and maximum size of each in bytes. */
const maxFiles = 20;
const maxFileBytes = 64 * 1024;
/** With more bytes per token, a file is probably not text. */
const maxBytesPerToken = 10;

interface Inclusion {
  view: SkillView;
  skill: VisibleSkill;
  /** The instructions. */
  body: string;
  files: readonly SkillFile[];
  /** Token budget of the files. */
  room: number;
}

/**
 * Full texts of the files that the instructions name, for a model that cannot read files, as far as
 * the budget allows. A file that does not fit is skipped; scripts, which the model cannot run, come
 * last.
 */
async function includeFiles(including: Inclusion): Promise<string[]> {
  const { skill, body, files } = including;
  const sizes = new Map(files.map(({ path, size }) => [path, size]));
  const named = namedFiles(body, { id: skill.id, files: [...sizes.keys()] });
  const ordered = [...named.filter((path) => !isScript(path)), ...named.filter(isScript)];
  const included: string[] = [];
  let remaining = including.room;
  for (const path of ordered.slice(0, maxFiles)) {
    const size = sizes.get(path) ?? 0;
    const text =
      size <= Math.min(maxFileBytes, remaining * maxBytesPerToken)
        ? await textOf(path, including)
        : undefined;
    const tokens = text === undefined ? 0 : countTokens(text);
    if (text !== undefined && tokens <= remaining) {
      remaining -= tokens;
      included.push(text);
    }
  }
  return included;
}

function isScript(path: string): boolean {
  return path.startsWith('scripts/');
}

/** Undefined if the file is not text or has been deleted. */
async function textOf(path: string, { view, skill }: Inclusion): Promise<string | undefined> {
  try {
    const file = await view.openFile(skill, path);
    const bytes = await file?.read(0, file.size);
    return bytes && detectMediaType(path, bytes).kind === 'text'
      ? `<skill_file path="${escapeXml(path)}">\n${neutraliseTags(bytes.toString('utf8').trim())}\n</skill_file>`
      : undefined;
  } catch {
    return undefined;
  }
}
