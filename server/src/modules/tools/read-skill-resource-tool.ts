import { z } from 'zod';
import { formatCount } from '../../platform/lib/format-count.ts';
import { detectMediaType } from '../../platform/lib/media-type.ts';
import {
  findResource,
  locateResource,
  nearestFiles,
  type OpenSkillFile,
  type SkillView,
  type VisibleSkill,
  withoutOwnName,
} from '../skills/index.ts';
import { notAvailable } from './activate-skill-tool.ts';
import { skillTool } from './builtin/builtin-tool.ts';
import { type SkillCall, type ToolResult, toolError } from './tool.ts';

/** Maximum page size of text, in bytes. */
const pageBytes = 64 * 1024;

const headBytes = 4096;

const maxPictureBytes = 4 * 1024 * 1024;

/** A page must hold at least one character, or reading would never advance. */
const maxCharacterBytes = 4;

interface Reading {
  path: string;
  file: OpenSkillFile;
  /** Byte offset to start at. */
  offset: number;
  limit: number;
  modelSees: boolean;
}

/** A file for the model: a page of text, an image, or a description. */
async function readResource(reading: Reading): Promise<ToolResult> {
  const { path, file, modelSees } = reading;
  const { kind, type } = detectMediaType(path, await file.read(0, Math.min(file.size, headBytes)));
  if (kind === 'text') {
    return { content: await readPage(reading), isError: false, summary: path };
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
    content: `"${path}" is not text: ${type}, ${formatCount(file.size, 'byte')}. Its content cannot be shown here.`,
    isError: false,
    summary: path,
  };
}

async function readPage({ file, offset, limit }: Reading): Promise<string> {
  const { size } = file;
  if (offset >= size) {
    return size === 0 ? '[The file is empty.]' : `[The file ends at byte ${size}.]`;
  }
  const length = Math.min(Math.max(limit, maxCharacterBytes), pageBytes, size - offset);
  const page = wholeCharacters(await file.read(offset, length));
  const next = offset + page.length;
  const more =
    next < size ? `\n\n[Bytes ${offset} to ${next} of ${size}. Next: offset ${next}.]` : '';
  return page.toString('utf8') + more;
}

/** Drops an incomplete character at the end of the page. */
function wholeCharacters(bytes: Buffer): Buffer {
  let end = bytes.length;
  while (end > 0 && end > bytes.length - 4 && ((bytes[end - 1] ?? 0) & 0xc0) === 0x80) {
    end -= 1;
  }
  const lead = bytes[end - 1] ?? 0;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  return end - 1 + length <= bytes.length ? bytes : bytes.subarray(0, end - 1);
}

/** Conservative estimate; longer results are truncated. */
const bytesPerToken = 2.5;
const minBytes = 400;
/** Longer than any path, even URL-encoded. */
const maxPath = 4096;
const inputSchema = z.object({
  skill_name: z.string().max(300),
  file_path: z.string().max(maxPath),
  offset: z.coerce.number().int().min(0).nullish(),
  limit: z.coerce.number().int().min(1).nullish(),
});
type Input = z.output<typeof inputSchema>;

/** `read_skill_resource`: reads a file of an active skill, text in pages of 64 KB. */
export const readSkillResourceTool = skillTool({
  name: 'read_skill_resource',
  arguments: inputSchema,
  parameters: {
    type: 'object',
    properties: {
      skill_name: { type: 'string' },
      file_path: { type: 'string' },
      offset: { type: 'integer' },
      limit: { type: 'integer' },
    },
    required: ['skill_name', 'file_path'],
    additionalProperties: false,
  },
  usage:
    'read_skill_resource takes {"skill_name": "…", "file_path": "…"}, and offset and limit as whole numbers if wanted. Call it again with that.',
  values: { maximum: pageBytes },
  run: readFor,
});

async function readFor(input: Input, context: SkillCall): Promise<ToolResult> {
  const { view, active, modelSees } = context;
  const { skill_name: name, file_path: written } = input;
  const asked = knownSkill(name, context);
  if (!asked) {
    return notAvailable(name, view);
  }
  const location = locateResource(written, asked.id);
  const owner = location && knownSkill(location.skill, context);
  // A hidden sibling must look like a missing file.
  const skill = owner ?? asked;
  if (!active.has(skill.id)) {
    return toolError(
      `Skill "${skill.id}" is not active. Call activate_skill with its name first.`,
      'not active',
      [skill.id],
    );
  }
  const found = location && owner && (await openFixed(view, owner, location.path));
  if (!found) {
    return miss({ written, path: location?.path ?? written, skill }, context);
  }
  const { offset, limit } = input;
  const fitting = Math.max(minBytes, Math.floor(context.resultTokenBudget * bytesPerToken));
  const page = {
    ...found,
    modelSees,
    offset: offset ?? 0,
    limit: Math.min(limit ?? pageBytes, fitting),
  };
  return { ...(await readResource(page)), skills: [skill.id] };
}

/** Skills the model may know: those it may activate, and active ones. */
function knownSkill(name: string, { view, active }: SkillCall): VisibleSkill | undefined {
  const skill = view.find(name);
  return skill && (skill.modelInvocable || active.has(skill.id)) ? skill : undefined;
}

/** The file at this path, or the only likely match. */
async function openFixed(
  view: SkillView,
  skill: VisibleSkill,
  path: string,
): Promise<{ path: string; file: OpenSkillFile } | undefined> {
  const exact = await view.openFile(skill, path);
  if (exact) {
    return { path, file: exact };
  }
  const listed = (await view.listFiles(skill)).map((each) => each.path);
  const files = listed.some((file) => /^skill\.md$/i.test(file)) ? listed : [...listed, 'SKILL.md'];
  const fixed =
    findResource(path, files) ?? findResource(withoutOwnName({ skill: skill.id, path }), files);
  const file = fixed === undefined ? undefined : await view.openFile(skill, fixed);
  return fixed === undefined || file === undefined ? undefined : { path: fixed, file };
}

interface Missed {
  /** As written by the model. */
  written: string;
  path: string;
  skill: VisibleSkill;
}

async function miss({ written, path, skill }: Missed, context: SkillCall): Promise<ToolResult> {
  const files = (await context.view.listFiles(skill)).map((each) => each.path);
  const nearest = nearestFiles(path, files);
  const which =
    files.length > nearest.length ? `Nearest of its ${files.length} files` : 'Its files';
  context.misses.count += 1;
  const again =
    context.misses.count > 1
      ? ' Do not try again: continue without this file, and tell the user what is missing.'
      : '';
  return toolError(
    `There is no file "${written}" in skill "${skill.id}". ${which}: ${nearest.join(', ') || 'none'}.${again}`,
    'no such file',
    [skill.id],
  );
}
