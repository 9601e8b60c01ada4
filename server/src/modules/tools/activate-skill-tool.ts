import type { CallReason } from '@knowhow/shared/chat/call-reason';
import { z } from 'zod';
import type { ServerTexts, ToolTexts } from '../../platform/lib/locales.ts';
import { activateSkill, isReplaced, type SkillView, type VisibleSkill } from '../skills/index.ts';
import { skillTool } from './builtin/builtin-tool.ts';
import { refuseSkill } from './refuse-skill.ts';
import {
  type SkillCall,
  type SkillOffer,
  type SkillTool,
  type Tool,
  type ToolResult,
  toolError,
} from './tool.ts';

/** Above this number, names are no longer an enum in the schema, but validated on call. */
const maxEnum = 200;
const nameSchema = z.string().max(300);
const inputSchema = z.union([
  z.object({ skill_name: nameSchema }),
  z.object({ name: nameSchema }).transform(({ name }) => ({ skill_name: name })),
]);

/**
 * `activate_skill {skill_name}`: loads a skill's instructions into the conversation. Models trained
 * on other platforms send `name`. Its description depends on where the model reads of skills.
 */
function toolWith(texts?: (texts: ServerTexts) => ToolTexts) {
  return skillTool({
    name: 'activate_skill',
    ...(texts ? { texts } : {}),
    arguments: inputSchema,
    parameters: {
      type: 'object',
      properties: { skill_name: { type: 'string' } },
      required: ['skill_name'],
      additionalProperties: false,
    },
    usage:
      'activate_skill takes {"skill_name": "…"} with the name of an available skill. Call it again with that.',
    run: ({ skill_name: name }, call) => activate(name, call),
  });
}

const listed = toolWith();
const found = toolWith(({ toolVariants }) => toolVariants.activate_found_skill);
/** For models that are not told of any skill. */
export const activateNamedSkillTool = toolWith(
  ({ toolVariants }) => toolVariants.activate_named_skill,
);

/** The tool for a turn; undefined without skills. */
export function activateSkillTool({
  view,
  hasCatalogue,
  isSearchable,
}: SkillOffer): SkillTool | undefined {
  const skills = skillsToTell(view);
  if (skills.length === 0) {
    return undefined;
  }
  const tool = !hasCatalogue ? activateNamedSkillTool : isSearchable ? found : listed;
  return hasCatalogue && skills.length <= maxEnum
    ? { ...tool, parameters: withNames(tool.parameters, skills) }
    : tool;
}

function withNames(
  { properties, ...schema }: Tool['parameters'],
  skills: readonly VisibleSkill[],
): Tool['parameters'] {
  const { skill_name: name } = properties as { skill_name: object };
  return { ...schema, properties: { skill_name: { ...name, enum: skills.map(({ id }) => id) } } };
}

/** Skills the model may activate on its own. Memoized per list. */
export function skillsForModel({ skills }: SkillView): readonly VisibleSkill[] {
  const known = forModel.get(skills) ?? skills.filter(({ modelInvocable }) => modelInvocable);
  forModel.set(skills, known);
  return known;
}

/** Skills that a model is told about: without deprecated skills whose replacement is among them. Memoized per list. */
export function skillsToTell(view: SkillView): readonly VisibleSkill[] {
  const all = skillsForModel(view);
  const known = told.get(all) ?? withoutReplaced(all, view);
  told.set(all, known);
  return known;
}

const told = new WeakMap<readonly VisibleSkill[], readonly VisibleSkill[]>();

function withoutReplaced(
  skills: readonly VisibleSkill[],
  view: SkillView,
): readonly VisibleSkill[] {
  const isTold = (skill: VisibleSkill) => !isReplaced(view, skill);
  return skills.every(isTold) ? skills : skills.filter(isTold);
}

const forModel = new WeakMap<SkillView['skills'], readonly VisibleSkill[]>();

/** The same message for missing and forbidden skills, so that it leaks nothing. */
export function notAvailable(name: string, view: SkillView): ToolResult {
  const skills = skillsToTell(view);
  const names = skills.length > maxEnum ? likeliest(name, view) : skills.map(({ id }) => id);
  const some =
    names.length < skills.length ? `Some of the ${skills.length} available` : 'Available';
  const next =
    names.length > 0
      ? `${some} skills: ${names.join(', ')}. Call activate_skill with one of these names, or answer without a skill.`
      : 'No skills available. Answer without one, and tell the user that an administrator can add skills to this app.';
  return toolError(`Skill "${name}" is not available. ${next}`, 'not available', names);
}

const maxSuggestions = 20;

/** The best matches for a wrong name, or the first skills. */
function likeliest(name: string, view: SkillView): string[] {
  const found = view.rank(name, maxSuggestions).map(({ skill }) => skill);
  const skills = found.filter((skill) => skill.modelInvocable && !isReplaced(view, skill));
  return (skills.length > 0 ? skills : skillsToTell(view))
    .slice(0, maxSuggestions)
    .map(({ id }) => id);
}

async function activate(name: string, context: SkillCall): Promise<ToolResult> {
  const { view, active, maxSkillTokens: most } = context;
  const activationOptions = { via: 'model', most, readsFiles: true } as const;
  const result = await activateSkill({ ...context, ...activationOptions, name });
  switch (result.state) {
    case 'activated':
      return {
        content: result.skill.content,
        isError: false,
        summary: result.skill.activation.name,
        activation: result.skill.activation,
        skills: [result.skill.activation.name],
      };
    case 'already-active':
      return {
        content: `Skill "${result.name}" is already active: its instructions are in this conversation. Follow them.`,
        isError: false,
        summary: 'already active' satisfies CallReason,
        skills: [result.name],
      };
    case 'too-many':
      return {
        ...toolError(
          `No more skills can be activated in this conversation. Active skills: ${[...active.keys()].join(', ')}. Continue with these.`,
          'too many active skills',
          [...active.keys()],
        ),
        refused: refuseSkill(view, name, 'limit'),
      };
    case 'too-long':
    case 'no-room':
    case 'not-available':
      return {
        ...notAvailable(name, view),
        refused: refuseSkill(view, name, 'not-available'),
      };
  }
}
