import type { ToolResult } from '../tools/tool.ts';
import type { SourceTool, ToolCall, ToolSource } from '../tools/tool-source.ts';

type Described = Partial<Omit<SourceTool, 'run'>> & { name: string };

/** A tool that answers with what `run` gives for its arguments; without one, with the arguments. */
export function testTool(
  described: Described,
  run: (input: unknown, call: ToolCall) => Promise<string> | string = (input) =>
    JSON.stringify(input),
): SourceTool {
  return {
    description: `Does ${described.name}.`,
    parameters: { type: 'object', properties: {} },
    hints: { readOnly: true, destructive: false, openWorld: false },
    consent: 'never',
    ...described,
    run: async (input, call): Promise<ToolResult> => ({
      content: await run(input, call),
      isError: false,
      summary: '',
    }),
  };
}

/** A source of tools as those of others are, with these tools. */
export function testSource(
  tools: readonly SourceTool[],
  more: Partial<ToolSource> = {},
): ToolSource {
  return {
    ...{ id: 'office', title: 'Office', kind: 'mcp' },
    list: async () => tools,
    listAll: async () => tools,
    state: () => ({ status: 'ready' }),
    ...more,
  };
}
