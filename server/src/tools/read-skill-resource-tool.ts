import { z } from 'zod';
import { mediaTypeOf } from '../skills/media-type.ts';
import type { OpenSkillFile } from '../skills/skill-store.ts';
import type { VisibleSkill } from '../skills/skill-view.ts';
import { notAvailable } from './activate-skill-tool.ts';
import { refusal, type Tool, type ToolContext, type ToolResult } from './tool.ts';

const pageBytes = 64 * 1024;
const headBytes = 4096;
const maxPictureBytes = 4 * 1024 * 1024;

const inputSchema = z.object({
  skill_name: z.string(),
  file_path: z.string(),
  offset: z.coerce.number().int().min(0).default(0),
  limit: z.coerce.number().int().min(1).max(pageBytes).default(pageBytes),
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
  const skill = view.find(input.skill_name);
  if (!skill) {
    return notAvailable(input.skill_name, view);
  }
  if (!active.has(skill.id)) {
    return refusal(
      `Skill "${skill.id}" is not active. Call activate_skill with its name first.`,
      'not active',
    );
  }
  const path = input.file_path.replace(`skill://${skill.id}/`, '').replace(/^(?:\.\/)+/, '');
  const file = await view.openFile(skill, path);
  if (!file) {
    const files = await view.listFiles(skill);
    const names = files.slice(0, 50).map((each) => each.path);
    return refusal(
      `There is no file "${input.file_path}" in skill "${skill.id}". Its files: ${names.join(', ') || 'none'}.`,
      'no such file',
    );
  }
  return readFile({ input, path, file, skill, modelSees: context.modelSees });
}

interface Reading {
  input: Input;
  path: string;
  file: OpenSkillFile;
  skill: VisibleSkill;
  modelSees: boolean;
}

async function readFile({ input, path, file, modelSees }: Reading): Promise<ToolResult> {
  const { kind, type } = mediaTypeOf(path, await file.read(0, Math.min(file.size, headBytes)));
  if (kind === 'text') {
    return readPage(path, file, input);
  }
  if (kind === 'picture' && modelSees && file.size <= maxPictureBytes) {
    const data = (await file.read(0, file.size)).toString('base64');
    return {
      content: `The picture "${path}" follows.`,
      isError: false,
      summary: path,
      images: [{ mediaType: type, data }],
    };
  }
  return {
    content: `"${path}" is not text: ${type}, ${file.size} bytes. Its content cannot be shown here.`,
    isError: false,
    summary: path,
  };
}

async function readPage(path: string, file: OpenSkillFile, input: Input): Promise<ToolResult> {
  const start = Math.min(input.offset, file.size);
  const bytes = await file.read(start, Math.min(input.limit, file.size - start));
  const whole = wholeCharacters(bytes);
  const next = start + whole.length;
  const more =
    next < file.size
      ? `\n\n[Bytes ${start} to ${next} of ${file.size}. Go on with offset ${next}.]`
      : '';
  return { content: whole.toString('utf8') + more, isError: false, summary: path };
}

/** Without the bytes of a character that the end of the page cuts. */
function wholeCharacters(bytes: Buffer): Buffer {
  let end = bytes.length;
  while (end > 0 && end > bytes.length - 4 && ((bytes[end - 1] ?? 0) & 0xc0) === 0x80) {
    end -= 1;
  }
  const lead = bytes[end - 1] ?? 0;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  return end - 1 + length <= bytes.length ? bytes : bytes.subarray(0, end - 1);
}
