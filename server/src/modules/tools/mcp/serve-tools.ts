import {
  type CallToolResult,
  type Tool as McpTool,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import { invalidCursorMessage } from '../../../platform/lib/cursors.ts';
import {
  activateSkill,
  findArgumentIssue,
  getSkillParameters,
  parametersToSchema,
  type SkillView,
  type VisibleSkill,
  wholeArguments,
} from '../../skills/index.ts';
import { activateNamedSkillTool, notAvailable, skillsForModel } from '../activate-skill-tool.ts';
import { callWithoutTurn, maxResultTokens } from '../call-without-turn.ts';
import { toModelTool } from '../choose-tools.ts';
import { ownTool, skillToolsFor } from '../offer-skill-tools.ts';
import { readSkillResourceTool } from '../read-skill-resource-tool.ts';
import { runSkillTool } from '../run-tool.ts';
import { searchSkillsTool } from '../search-skills-tool.ts';
import type { Tool, ToolResult } from '../tool.ts';
import { maxToolNameLength, withHash } from '../tool-names.ts';

const pageSize = 100;
/** The built-in tools are read-only. */
const annotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** Built-in tools, with descriptions written for models of other products. */
const builtInTools = [
  { tool: searchSkillsTool, title: 'Search skills' },
  {
    tool: activateNamedSkillTool,
    title: 'Load a skill',
    description:
      'Loads the full instructions of a skill. Call it before answering when the task matches the description of a skill; search_skills finds them.',
  },
  {
    tool: readSkillResourceTool,
    title: 'Read a file of a skill',
    description:
      'Reads a file of a skill: one of those that its instructions list as skill_resources. Long texts come in pages.',
  },
];

/** A tool provided by a skill. */
export interface OwnTool {
  tool: Pick<Tool, 'name' | 'title' | 'description' | 'parameters' | 'hints'>;
  run(input: unknown, signal: AbortSignal): Promise<ToolResult>;
}

/** By skill ID. */
export type OwnTools = ReadonlyMap<string, OwnTool>;

/** A page of `tools/list`, in a stable order. */
export function listTools(
  view: SkillView,
  own: OwnTools,
  cursor: string | undefined,
): { tools: McpTool[]; nextCursor?: string } {
  const all = [...fixedTools(view), ...nameTools(listedSkills(view, own), own).map(describe)];
  if (cursor !== undefined && !/^\d{1,9}$/.test(cursor)) {
    throw invalid(invalidCursorMessage);
  }
  const start = Number(cursor ?? 0);
  const end = start + pageSize;
  const next = end < all.length ? { nextCursor: String(end) } : {};
  return { tools: all.slice(start, end), ...next };
}

function fixedTools(view: SkillView): McpTool[] {
  const offered = skillToolsFor({ view, hasCatalogue: false, isSearchable: true });
  return builtInTools
    .filter(({ tool }) => offered.includes(tool))
    .map(({ tool, title, description = tool.description }) => ({
      name: tool.name,
      title,
      description,
      annotations,
      inputSchema: inputSchemaOf(toModelTool(ownTool(tool)).parameters),
    }));
}

function inputSchemaOf(parameters: object): McpTool['inputSchema'] {
  return { ...parameters, type: 'object' };
}

/**
 * Above this number, skills without parameters or a tool are not listed, but can still be called.
 */
const maxPlainSkills = 100;

function listedSkills(view: SkillView, own: OwnTools): readonly VisibleSkill[] {
  const skills = skillsForModel(view);
  return skills.length <= maxPlainSkills
    ? skills
    : skills.filter((skill) => own.has(skill.id) || getSkillParameters(skill).length > 0);
}

interface NamedSkill {
  name: string;
  skill: VisibleSkill;
  own: OwnTool | undefined;
}

/** Keeps the name the chat uses for a skill's tool, if it starts with `skill_` and is unique. */
function nameTools(skills: readonly VisibleSkill[], tools: OwnTools): NamedSkill[] {
  const taken = new Set(skills.map(toolName));
  return skills.map((skill) => {
    const own = tools.get(skill.id);
    const wanted = own?.tool.name ?? '';
    const isFree = wanted.startsWith('skill_') && !taken.has(wanted);
    return { name: isFree ? wanted : toolName(skill), skill, own };
  });
}

function describe({ name, skill, own }: NamedSkill): McpTool {
  if (own) {
    const { title, description, parameters, hints } = own.tool;
    return {
      name,
      title: title ?? skill.displayName,
      description,
      inputSchema: inputSchemaOf(parameters),
      annotations: {
        readOnlyHint: hints.readOnly,
        destructiveHint: hints.destructive,
        openWorldHint: hints.openWorld,
      },
    };
  }
  return {
    name,
    title: skill.displayName,
    description: skill.description,
    inputSchema: inputSchemaOf(parametersToSchema(getSkillParameters(skill))),
    annotations,
  };
}

/** `skill_<id>`, adapted to the names that every host accepts. */
function toolName({ id }: VisibleSkill): string {
  const name = `skill_${id}`;
  if (/^[\w-]+$/.test(name) && name.length <= maxToolNameLength) {
    return name;
  }
  return withHash(name.replace(/[^\w-]+/g, '-'), id);
}

interface McpCall {
  name: string;
  input: Readonly<Record<string, unknown>>;
  signal: AbortSignal;
}

/** Calls a tool or a skill's tool. Throws invalid params if it is unknown or forbidden. */
export async function callTool(
  view: SkillView,
  { name, input, signal }: McpCall,
  ownTools: () => Promise<OwnTools>,
): Promise<CallToolResult> {
  const tool = builtInTools.find((each) => each.tool.name === name)?.tool;
  if (tool) {
    // Stateless: for reading files, every skill that the caller may activate counts as active.
    const active = tool === readSkillResourceTool ? skillsForModel(view) : [];
    return resultOf(await runSkillTool(tool, input, callWithoutTurn(view, active)));
  }
  const own = await ownTools();
  const called = nameTools(skillsForModel(view), own).find((each) => each.name === name);
  if (!called) {
    throw invalid(`There is no tool "${name}". Call tools/list for those there are.`);
  }
  return called.own
    ? resultOf(await called.own.run(input, signal))
    : callSkill(view, called.skill, input);
}

async function callSkill(
  view: SkillView,
  skill: VisibleSkill,
  input: Readonly<Record<string, unknown>>,
): Promise<CallToolResult> {
  const parameters = getSkillParameters(skill);
  const issue = findArgumentIssue(parameters, input);
  if (issue !== undefined) {
    return asText(`${issue} Call ${toolName(skill)} again with this corrected.`, true);
  }
  const whole = parameters.length === 1 && parameters[0]?.name === wholeArguments;
  const written = whole ? String(input[wholeArguments] ?? '') : JSON.stringify(input);
  const result = await activateSkill({
    view,
    active: new Map(),
    maxActiveSkills: 1,
    name: skill.id,
    via: 'model',
    most: maxResultTokens,
    readsFiles: true,
    written,
  });
  if (result.state === 'too-long') {
    return asText('The arguments are too long for this skill. Call it with shorter ones.', true);
  }
  if (result.state !== 'activated') {
    return resultOf(notAvailable(skill.id, view));
  }
  const { activation, content } = result.skill;
  const isFilled = activation.arguments !== undefined || written === '' || written === '{}';
  return asText(isFilled ? content : `${content}\n\nIt was called with: ${written}`, false);
}

function resultOf({ content, isError, images = [] }: ToolResult): CallToolResult {
  const pictures = images.map(
    ({ mediaType: mimeType, data }) => ({ type: 'image', mimeType, data }) as const,
  );
  return { content: [{ type: 'text', text: content }, ...pictures], isError };
}

function asText(text: string, isError: boolean): CallToolResult {
  return { content: [{ type: 'text', text }], isError };
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
