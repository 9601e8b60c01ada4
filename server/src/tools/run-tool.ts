import type { ModelTool, ModelToolCall } from '../models/model.ts';
import { activateSkillTool } from './activate-skill-tool.ts';
import { readSkillResourceTool } from './read-skill-resource-tool.ts';
import { refusal, type Tool, type ToolContext, type ToolResult } from './tool.ts';

/** Every tool there is. */
const tools: readonly Tool[] = [activateSkillTool, readSkillResourceTool];

/** The tools to offer in this turn. */
export function offerTools(context: ToolContext): ModelTool[] {
  return tools.flatMap((tool) => tool.offer(context) ?? []);
}

/** Runs a call, if that tool was offered. Whatever the model sent, the answer is a result. */
export async function runTool(
  call: ModelToolCall,
  offered: readonly ModelTool[],
  context: ToolContext,
): Promise<ToolResult> {
  const tool = tools.find(({ name }) => name === call.name);
  if (!tool || !offered.some(({ name }) => name === call.name)) {
    const names = offered.map(({ name }) => name).join(', ');
    return refusal(
      `There is no tool "${call.name}". Available tools: ${names || 'none'}.`,
      'no such tool',
    );
  }
  return tool.run(call.input, context);
}
