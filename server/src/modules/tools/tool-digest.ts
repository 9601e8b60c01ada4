import { sha256 } from '../../platform/lib/sha256.ts';
import type { Tool } from './tool.ts';

type Described = Pick<Tool, 'name' | 'title' | 'description' | 'parameters' | 'version'>;

/**
 * SHA-256 (hex) of a tool's description and known behaviour: approvals are valid while it is
 * unchanged.
 */
export function getToolDigest(tool: Described): string {
  const known = digests.get(tool);
  if (known !== undefined) {
    return known;
  }
  const { name, title, description, parameters, version } = tool;
  const described = { name, title, description, parameters, ...(version ? { version } : {}) };
  const text = JSON.stringify(canonicalize(described));
  const digest = sha256(text);
  digests.set(tool, digest);
  return digest;
}

const digests = new WeakMap<Described, string>();

/** Independent of key order. */
function canonicalize(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(canonicalize);
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return entries.map(([key, part]) => [key, canonicalize(part)]);
}
