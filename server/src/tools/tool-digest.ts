import { createHash } from 'node:crypto';
import type { SourceTool } from './tool-source.ts';

type Described = Pick<SourceTool, 'name' | 'title' | 'description' | 'parameters' | 'version'>;

/**
 * SHA-256, in hex, of what a model is told of a tool, and of what is known of what it does: an approval counts
 * while it is the same.
 */
export function digestOf(tool: Described): string {
  const known = digests.get(tool);
  if (known !== undefined) {
    return known;
  }
  const { name, title, description, parameters, version } = tool;
  const told = { name, title, description, parameters, ...(version ? { version } : {}) };
  const text = JSON.stringify(inOrder(told));
  const digest = createHash('sha256').update(text).digest('hex');
  digests.set(tool, digest);
  return digest;
}

const digests = new WeakMap<Described, string>();

/** The same whatever order keys came in. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(inOrder);
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return entries.map(([key, part]) => [key, inOrder(part)]);
}
