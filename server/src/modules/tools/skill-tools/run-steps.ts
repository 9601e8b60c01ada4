import { getErrorMessage } from '../../../platform/lib/get-error-message.ts';
import { parseJson } from '../../../platform/lib/parse-json.ts';
import type { SkillTool } from '../../skills/conversion/skill-tool.ts';
import type { ToolCall, ToolResult } from '../tool.ts';
import { truncateMiddle } from './run-flow.ts';
import { fillPaths } from './value-path.ts';

type ToolStep = Extract<SkillTool['run'], { type: 'steps' }>['steps'][number];

const braces = /\{\{([^{}]+)\}\}/g;

/**
 * Calls tools in sequence; each may refer to earlier values as `{{input.x}}` and `{{steps.y}}`.
 * Stops at the first failure, returning earlier results with the error.
 */
export async function runSteps(
  { title, steps }: { title: string; steps: readonly ToolStep[] },
  input: unknown,
  call: ToolCall,
): Promise<ToolResult> {
  const outputs: Record<string, unknown> = {};
  const done: { tool: string; output: unknown }[] = [];
  for (const [at, { tool, params, output = `step_${at + 1}` }] of steps.entries()) {
    call.signal.throwIfAborted();
    call.progress(`Step ${at + 1} of ${steps.length}: ${tool}`);
    const result = await runStep(tool, async () =>
      call.callTool?.(tool, fill(params, input, outputs)),
    );
    call.signal.throwIfAborted();
    if (result.isError) {
      const error = `Step ${at + 1} (${tool}) failed: ${result.content}`;
      return answer(title, { success: false, error, steps: done });
    }
    outputs[output] = parseJson(result.content) ?? result.content;
    done.push({ tool, output: outputs[output] });
  }
  return answer(title, { success: true, steps: done, output: done.at(-1)?.output });
}

function fill(params: unknown, input: unknown, steps: Record<string, unknown>): unknown {
  return fillPaths(params, { input, steps }, braces);
}

async function runStep(
  tool: string,
  run: () => Promise<ToolResult | undefined>,
): Promise<Pick<ToolResult, 'content' | 'isError'>> {
  try {
    const missing = { content: `There is no tool "${tool}" here.`, isError: true };
    return (await run()) ?? missing;
  } catch (error) {
    return { content: getErrorMessage(error), isError: true };
  }
}

interface StepsResult {
  success: boolean;
  /** Results of the preceding steps. */
  steps: unknown[];
  error?: string;
  output?: unknown;
}

function answer(title: string, result: StepsResult): ToolResult {
  const { success } = result;
  const content = truncateMiddle(JSON.stringify(result));
  return { content, isError: !success, summary: success ? title : 'failed' };
}
