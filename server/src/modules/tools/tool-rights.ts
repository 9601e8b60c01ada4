import type { AppConfig } from '@knowhow/shared/config/app-config';
import { type Grant, grants } from '../identity/index.ts';
import type { Tool } from './tool.ts';
import { toolId } from './tool-names.ts';
import type { ToolSource } from './tool-source.ts';

/**
 * Whether a grant covers a tool: by `*`, its source, its ID, or for built-in tools by name. Other
 * sources choose their names themselves, so a name alone must not grant access.
 */
export function coversTool(
  grant: Grant,
  source: Pick<ToolSource, 'id' | 'kind'>,
  tool: Pick<Tool, 'name'>,
): boolean {
  return (
    grants(grant, source.id) ||
    grants(grant, toolId(source, tool)) ||
    (ownKinds.has(source.kind) && grants(grant, tool.name))
  );
}

const ownKinds: ReadonlySet<ToolSource['kind']> = new Set(['builtin', 'scripts']);

/** Tools an app offers; none by default. */
export function toolsOfApp({ tools = [] }: AppConfig): Grant {
  return tools.includes('*') ? 'all' : new Set(tools);
}
