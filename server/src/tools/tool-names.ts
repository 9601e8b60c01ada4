import { createHash } from 'node:crypto';
import { toolNames } from './run-tool.ts';
import type { SourceTool, ToolSource } from './tool-source.ts';

/** What every vendor takes. */
export const longestToolName = 64;
const hashLength = 8;

/** The id of a tool, in rights and decisions. */
export function toolId(source: Pick<ToolSource, 'id'>, { name }: Pick<SourceTool, 'name'>): string {
  return `${source.id}/${name}`;
}

/**
 * Names tools for models, by their ids: `<source>__<tool>`, of our own sources the tool's own name; letters,
 * digits, `_` and `-`, at most 64. One that is too long, was changed for it, or is taken ends with a hash of
 * its id, so that a tool has the same name whatever others there are.
 */
export function nameTools(
  tools: readonly { source: Pick<ToolSource, 'id' | 'kind'>; tool: Pick<SourceTool, 'name'> }[],
): Map<string, string> {
  const names = new Map<string, string>();
  const taken = new Set(toolNames);
  for (const { source, tool } of tools) {
    const id = toolId(source, tool);
    const wanted = source.kind === 'mcp' ? `${source.id}__${tool.name}` : tool.name;
    const plain = wanted.normalize('NFKD').replace(/[^A-Za-z0-9_-]+/g, '_');
    const isFree = plain === wanted && plain.length <= longestToolName && !taken.has(plain);
    const name = isFree ? plain : withHash(plain, id);
    taken.add(name);
    names.set(id, name);
  }
  return names;
}

/** A name that is short enough, and no other's: it ends with a hash of an id. */
export function withHash(name: string, id: string): string {
  const hash = createHash('sha256').update(id).digest('hex').slice(0, hashLength);
  return `${name.slice(0, longestToolName - hashLength - 1)}_${hash}`;
}

/** By what a skill may call a tool: its id, its name for models, its own name, and as other hosts write it. */
export function spellingsOf(offered: {
  id: string;
  name: string;
  source: Pick<ToolSource, 'id'>;
  tool: Pick<SourceTool, 'name'>;
}): string[] {
  const { id, name, source, tool } = offered;
  return [id, name, tool.name, `mcp__${source.id}__${tool.name}`];
}

/** Names as skills write them, without what stands in brackets behind them: `Bash(git *)` calls `Bash`. */
export function plainToolNames(written: readonly string[]): string[] {
  return written.map((name) => name.replace(/\(.*$/s, ''));
}
