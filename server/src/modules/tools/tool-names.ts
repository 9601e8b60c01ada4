import { sha256 } from '../../platform/lib/sha256.ts';
import { skillToolNames } from './offer-skill-tools.ts';
import type { Tool } from './tool.ts';
import type { ToolSource } from './tool-source.ts';

/** Accepted by all vendors. */
export const maxToolNameLength = 64;
const hashLength = 8;

/** The ID of a tool in permissions and decisions. */
export function toolId(source: Pick<ToolSource, 'id'>, { name }: Pick<Tool, 'name'>): string {
  return `${source.id}/${name}`;
}

/**
 * Assigns model-facing names by ID: `<source>__<tool>`, or the tool's own name for built-in
 * sources, limited to letters, digits, `_` and `-`, at most 64. Names that are too long, changed or
 * taken get a hash of the ID, so that they do not depend on other tools.
 */
export function nameTools(
  tools: readonly { source: Pick<ToolSource, 'id' | 'kind'>; tool: Pick<Tool, 'name'> }[],
): Map<string, string> {
  const names = new Map<string, string>();
  const taken = new Set(skillToolNames);
  for (const { source, tool } of tools) {
    const id = toolId(source, tool);
    const wanted = source.kind === 'mcp' ? `${source.id}__${tool.name}` : tool.name;
    const plain = wanted.normalize('NFKD').replace(/[^A-Za-z0-9_-]+/g, '_');
    const isFree = plain === wanted && plain.length <= maxToolNameLength && !taken.has(plain);
    const name = isFree ? plain : withHash(plain, id);
    taken.add(name);
    names.set(id, name);
  }
  return names;
}

/** A unique name within the length limit, with a hash of the ID as suffix. */
export function withHash(name: string, id: string): string {
  const hash = sha256(id).slice(0, hashLength);
  return `${name.slice(0, maxToolNameLength - hashLength - 1)}_${hash}`;
}

/**
 * All names by which a skill may refer to a tool: its ID, its model-facing name, its own name, and
 * the notation of other hosts.
 */
export function getToolSpellings(offered: {
  id: string;
  name: string;
  source: Pick<ToolSource, 'id'>;
  tool: Pick<Tool, 'name'>;
}): string[] {
  const { id, name, source, tool } = offered;
  return [id, name, tool.name, `mcp__${source.id}__${tool.name}`];
}

/** Names as skills write them, without restrictions in brackets: `Bash(git *)` becomes `Bash`. */
export function plainToolNames(written: readonly string[]): string[] {
  return written.map((name) => name.replace(/\(.*$/s, ''));
}
