import type { Tool, ToolCall, ToolResult } from '../modules/tools/tool.ts';
import type { ToolSource } from '../modules/tools/tool-source.ts';

type Described = Partial<Omit<Tool, 'run'>> & { name: string };

/** A tool whose result is that of `run`, by default its arguments. */
export function testTool(
  described: Described,
  run: (input: unknown, call: ToolCall) => Promise<string> | string = (input) =>
    JSON.stringify(input),
): Tool {
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

/** A tool source like that of an MCP server, with these tools. */
export function testSource(tools: readonly Tool[], more: Partial<ToolSource> = {}): ToolSource {
  return {
    id: 'office',
    title: 'Office',
    kind: 'mcp',
    list: async () => tools,
    listAll: async () => tools,
    state: () => ({ status: 'ready' }),
    ...more,
  };
}
