import type { ModelTool, ModelToolCall } from '../models/model.ts';
import { activateSkillTool } from './activate-skill-tool.ts';
import { listSkillsTool } from './list-skills-tool.ts';
import { readSkillResourceTool } from './read-skill-resource-tool.ts';
import { searchSkillsTool } from './search-skills-tool.ts';
import { type Offering, type Tool, type ToolContext, type ToolResult, toolError } from './tool.ts';
import type { TranslatableTool } from './translate-tools.ts';

/** All tools of the skill protocol. */
const tools: readonly Tool[] = [
  activateSkillTool,
  readSkillResourceTool,
  searchSkillsTool,
  listSkillsTool,
];

/** The names of all of them, whether offered or not. */
export const toolNames: ReadonlySet<string> = new Set(tools.map(({ name }) => name));

/** The tools to offer in a round. */
export function offerTools(offering: Offering): TranslatableTool[] {
  return tools.flatMap((tool) => tool.offer(offering) ?? []);
}

/**
 * Runs a call of an offered tool. Invalid input of the model becomes a result, never an exception.
 */
export async function runTool(
  call: ModelToolCall,
  offered: readonly ModelTool[],
  context: ToolContext,
): Promise<ToolResult> {
  const tool = tools.find(({ name }) => name === call.name);
  if (!tool || !offered.some(({ name }) => name === call.name)) {
    const names = offered.map(({ name }) => name).join(', ');
    return toolError(
      `There is no tool "${call.name}". Available tools: ${names || 'none'}. ${nextStep(offered)}`,
      'no such tool',
    );
  }
  try {
    return await tool.run(call.input, context);
  } catch (error) {
    if (!isFileError(error)) {
      throw error;
    }
    return toolError(
      'A file of this skill cannot be read now. Continue without it.',
      'cannot be read',
    );
  }
}

/** The same message whether a tool is unknown, forbidden or did not fit. */
function nextStep(offered: readonly ModelTool[]): string {
  if (offered.length === 0) {
    return 'Answer without a tool.';
  }
  const isSearchable = offered.some(({ name }) => name === 'search_tools');
  return isSearchable
    ? 'Call one of these, look for another by search_tools, or answer without a tool.'
    : 'Call one of these, or answer without a tool.';
}

/** A file that is not readable, or was deleted since it was listed. */
function isFileError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}
