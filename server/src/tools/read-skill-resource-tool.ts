import { z } from 'zod';
import { findResource, nearestFiles, placeOf, withoutOwnName } from '../skills/find-resource.ts';
import type { OpenSkillFile } from '../skills/skill-store.ts';
import type { SkillView, VisibleSkill } from '../skills/skill-view.ts';
import { notAvailable } from './activate-skill-tool.ts';
import { pageBytes, readResource } from './read-resource.ts';
import { refusal, type Tool, type ToolContext, type ToolResult } from './tool.ts';

const inputSchema = z.object({
  skill_name: z.string(),
  file_path: z.string(),
  offset: z.coerce.number().int().min(0).nullish(),
  limit: z.coerce.number().int().min(1).nullish(),
});
type Input = z.output<typeof inputSchema>;

/** `read_skill_resource`: a file of an active skill, text in pages of 64 KB. */
export const readSkillResourceTool: Tool = {
  name: 'read_skill_resource',
  offer: ({ view }) =>
    view.skills.length === 0
      ? undefined
      : {
          name: 'read_skill_resource',
          description:
            'Reads a file of an active skill: one of those its skill_resources list. Long texts come in pages.',
          parameters: {
            type: 'object',
            properties: {
              skill_name: { type: 'string', description: 'Name of an active skill.' },
              file_path: {
                type: 'string',
                description: "Path of the file, relative to the skill's base.",
              },
              offset: { type: 'integer', description: 'Byte to begin at; 0 when left out.' },
              limit: {
                type: 'integer',
                description: `Bytes to read; ${pageBytes} at most and when left out.`,
              },
            },
            required: ['skill_name', 'file_path'],
            additionalProperties: false,
          },
        },
  run: async (input, context) => {
    const parsed = inputSchema.safeParse(input);
    if (!parsed.success) {
      return refusal(
        'read_skill_resource takes {"skill_name": "…", "file_path": "…"}, and offset and limit as whole numbers if wanted. Call it again with that.',
        'wrong arguments',
      );
    }
    return readFor(parsed.data, context);
  },
};

async function readFor(input: Input, context: ToolContext): Promise<ToolResult> {
  const { view, active } = context;
  const skill = knownSkill(input.skill_name, context);
  if (!skill) {
    return notAvailable(input.skill_name, view);
  }
  const place = placeOf(input.file_path, skill.id);
  const owner = place && knownSkill(place.skill, context);
  // A sibling that the caller may not see must look like a file that is not there.
  const first = owner ?? skill;
  if (!active.has(first.id)) {
    return notActive(first.id);
  }
  const files = async () => [...(await view.listFiles(first)).map(({ path }) => path), 'SKILL.md'];
  const found =
    place && owner && (await openMended({ skill: owner.id, path: place.path }, owner, view, files));
  return found
    ? readResource({
        ...found,
        offset: input.offset ?? 0,
        limit: input.limit ?? pageBytes,
        modelSees: context.modelSees,
      })
    : miss(input.file_path, first, await files(), context);
}

/** The skills a model may know of: those it may pick, and those in force. */
function knownSkill(name: string, { view, active }: ToolContext): VisibleSkill | undefined {
  const skill = view.find(name);
  return skill && (skill.modelInvocable || active.has(skill.id)) ? skill : undefined;
}
