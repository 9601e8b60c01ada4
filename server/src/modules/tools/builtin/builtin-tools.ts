import type { Tool } from '../tool.ts';
import type { ToolSource } from '../tool-source.ts';
import { builtinSource } from './builtin-tool.ts';
import type { PageReader } from './read-page.ts';

/** Services for built-in tools. */
export interface BuiltinServices {
  /** Guarded against SSRF, with size and time limits: `createGuardedFetch().within(pageLimits)`. */
  fetch: typeof fetch;
  reader: Pick<PageReader, 'page'>;
}

/** Creates the tool of a file. */
export type CreateTool = (services: BuiltinServices) => Tool;

const files: Readonly<Record<string, CreateTool>> = import.meta.glob(
  ['./*-tool.ts', '!./builtin-tool.ts'],
  { eager: true, import: 'createTool' },
);

/** The built-in tools: those of the files `*-tool.ts` here. An app gets those listed in its `tools`. */
export function builtinTools(services: BuiltinServices): ToolSource {
  return builtinSource(
    'builtin',
    Object.values(files).map((createTool) => createTool(services)),
  );
}
