import type { AppConfig } from '@knowhow/shared/config/app-config';
import { type Grant, grants } from '../access/permissions.ts';
import { toolId } from './tool-names.ts';
import type { SourceTool, ToolSource } from './tool-source.ts';

/**
 * Whether a list covers a tool: by `*`, its source, its id, or, of our own tools, by its name alone. How a
 * skill or a server calls a tool is up to whoever wrote it: it gets no right that was meant for another.
 */
export function coversTool(
  grant: Grant,
  source: Pick<ToolSource, 'id' | 'kind'>,
  tool: Pick<SourceTool, 'name'>,
): boolean {
  return (
    grants(grant, source.id) ||
    grants(grant, toolId(source, tool)) ||
    (ownKinds.has(source.kind) && grants(grant, tool.name))
  );
}

const ownKinds: ReadonlySet<ToolSource['kind']> = new Set(['builtin', 'scripts']);

/** What an app offers of tools; nothing when it does not say. */
export function toolsOfApp({ tools = [] }: AppConfig): Grant {
  return tools.includes('*') ? 'all' : new Set(tools);
}
