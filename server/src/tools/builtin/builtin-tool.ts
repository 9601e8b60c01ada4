import { parseWith } from '@knowhow/shared/describe-issue';
import { z } from 'zod';
import { type ToolResult, toolError } from '../tool.ts';
import type { SourceTool } from '../tool-source.ts';

/** A built-in tool with typed, validated arguments. */
export function builtinTool<Arguments extends z.ZodType>(
  tool: Omit<SourceTool, 'parameters' | 'run'> & {
    arguments: Arguments;
    run: (
      input: z.output<Arguments>,
      call: Parameters<SourceTool['run']>[1],
    ) => ToolResult | Promise<ToolResult>;
  },
): SourceTool {
  const { arguments: schema, run, ...rest } = tool;
  return {
    ...rest,
    parameters: z.toJSONSchema(schema, { target: 'draft-7' }),
    run: async (input, call) => {
      const parsed = parseWith(schema, input);
      return parsed.success
        ? run(parsed.data, call)
        : toolError(z.prettifyError(parsed.error), 'wrong arguments');
    },
  };
}
