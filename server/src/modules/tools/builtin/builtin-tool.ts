import { parseWith } from '@knowhow/shared/describe-issue';
import { z } from 'zod';
import type { ToolName } from '../../../platform/lib/locales.ts';
import { describeTool } from '../describe-tool.ts';
import { type ToolResult, toolError } from '../tool.ts';
import type { SourceTool } from '../tool-source.ts';

/**
 * A built-in tool with typed, validated arguments.
 *
 * @param values of placeholders in its texts
 */
export function builtinTool<Arguments extends z.ZodType>(
  tool: Omit<SourceTool, 'name' | 'description' | 'parameters' | 'run' | 'translations'> & {
    name: ToolName;
    arguments: Arguments;
    run: (
      input: z.output<Arguments>,
      call: Parameters<SourceTool['run']>[1],
    ) => ToolResult | Promise<ToolResult>;
  },
  values: Readonly<Record<string, string>> = {},
): SourceTool {
  const { arguments: schema, run, name, ...rest } = tool;
  const parameters = z.toJSONSchema(schema, { target: 'draft-7' });
  return {
    ...rest,
    ...describeTool({ name, parameters }, { values }),
    run: async (input, call) => {
      const parsed = parseWith(schema, input);
      return parsed.success
        ? run(parsed.data, call)
        : toolError(z.prettifyError(parsed.error), 'wrong arguments');
    },
  };
}
