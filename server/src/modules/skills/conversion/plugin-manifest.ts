import { posix } from 'node:path';
import { isRecord } from '@knowhow/shared/is-record';
import type { LeftPart } from '@knowhow/shared/skills/skill-origin';
import type { PackedFile } from '@knowhow/skill-format';
import { readSourceJson, textIn, textsIn } from './read-source-json.ts';

/** A plugin that bundles skills, from its manifest. */
export interface PluginManifest {
  /** Its folder in the source. */
  root: string;
  name: string;
  version: string | undefined;
  trust: string | undefined;
  contributions: readonly Contribution[];
  /** Folders with commands, relative to the plugin. */
  commands: readonly string[];
  left: LeftPart[];
}

/** A skill listed by a plugin. */
export interface Contribution {
  id: string;
  name: string | undefined;
  description: string | undefined;
  source: { kind: 'inline'; content: string } | { kind: 'file' | 'directory'; path: string };
  /** Additional inline files. */
  files: readonly { path: string; content: string }[];
  tags: readonly string[];
  category: string | undefined;
  requiresTools: readonly string[];
  /** Undefined if not specified. */
  defaultEnabled: boolean | undefined;
}

/** Whether a manifest lists skills itself: Nitejar's format, or ours. */
export function listsSkills(manifest: Readonly<Record<string, unknown>>): boolean {
  return contributionsOf(manifest).length > 0;
}

/** Reads a manifest; unsupported parts are listed in `left`. */
export function readManifest(
  root: string,
  manifest: Readonly<Record<string, unknown>>,
  files: readonly PackedFile[],
): PluginManifest {
  const within = root === '' ? '' : `${root}/`;
  const inside = files.filter(({ path }) => path.startsWith(within));
  const has = (path: string) => inside.some((file) => file.path.startsWith(within + path));
  const parts: [string, boolean, LeftPart['why']][] = [
    ['agents/', has('agents/') || manifest.agents !== undefined, 'sub-agent'],
    ['hooks/', has('hooks/') || manifest.hooks !== undefined, 'hook'],
    ['.mcp.json', has('.mcp.json') || manifest.mcpServers !== undefined, 'mcp-server'],
    ['.app.json', has('.app.json'), 'no-effect'],
    ['.lsp.json', has('.lsp.json') || manifest.lspServers !== undefined, 'no-effect'],
    ['outputStyles', manifest.outputStyles !== undefined, 'no-effect'],
    ['entry', textIn(manifest.entry) !== undefined, 'needs-runner'],
  ];
  const left = parts.filter(([, isThere]) => isThere).map(([what, , why]) => ({ what, why }));
  const commands = textsIn(manifest.commands).map(plainPath);
  return {
    root,
    name: textIn(manifest.id) ?? textIn(manifest.name) ?? (posix.basename(root) || 'plugin'),
    version: textIn(manifest.version),
    trust: textIn(manifest.trust) ?? textIn(manifest.trustLevel),
    contributions: contributionsOf(manifest),
    commands: commands.length > 0 ? commands : ['commands'],
    left,
  };
}

/** A marketplace file, and which of its plugins are not included. */
export function readMarketplace(
  file: PackedFile,
): { name: string; elsewhere: string[] } | undefined {
  const read = readSourceJson(file);
  const plugins = 'value' in read ? read.value.plugins : undefined;
  if (!Array.isArray(plugins) || !('value' in read)) {
    return undefined;
  }
  const elsewhere = plugins.flatMap((plugin) => {
    const { name, source } = isRecord(plugin) ? plugin : {};
    const isHere =
      typeof source === 'string' ||
      (isRecord(source) && source.source === 'local' && typeof source.path === 'string');
    return isHere ? [] : [textIn(name) ?? '?'];
  });
  return { name: textIn(read.value.name) ?? 'marketplace', elsewhere };
}

function contributionsOf(manifest: Readonly<Record<string, unknown>>): Contribution[] {
  const inner = [manifest.contributions, manifest.contributes].find(isRecord);
  const list = [manifest.skills, inner?.skills].find(
    (each) => Array.isArray(each) && each.some(isRecord),
  );
  return (Array.isArray(list) ? list : []).slice(0, 500).flatMap(readContribution);
}

function readContribution(value: unknown): Contribution[] {
  if (!isRecord(value)) {
    return [];
  }
  const id = textIn(value.id) ?? textIn(value.name);
  const source = sourceOf(value);
  if (id === undefined || !source) {
    return [];
  }
  const files = Array.isArray(value.files) ? value.files : [];
  return [
    {
      id,
      name: textIn(value.name),
      description: textIn(value.description),
      source,
      files: files.flatMap((file) =>
        isRecord(file) && typeof file.path === 'string' && typeof file.content === 'string'
          ? [{ path: file.path, content: file.content }]
          : [],
      ),
      tags: textsIn(value.tags),
      category: textIn(value.category),
      requiresTools: textsIn(value.requiresTools),
      defaultEnabled: typeof value.defaultEnabled === 'boolean' ? value.defaultEnabled : undefined,
    },
  ];
}

/** `{kind, content|path}`, or flat, with the kind as a string. */
function sourceOf(value: Record<string, unknown>): Contribution['source'] | undefined {
  const { kind, content, path } = isRecord(value.source)
    ? value.source
    : { kind: value.source, content: value.content, path: value.path };
  if (kind === 'inline') {
    return typeof content === 'string' ? { kind, content } : undefined;
  }
  const isFile = kind === 'file' || kind === 'directory';
  return isFile && typeof path === 'string' ? { kind, path: plainPath(path) } : undefined;
}

/** Relative to the plugin; path traversal stays as is and matches nothing. */
function plainPath(path: string): string {
  const plain = posix
    .normalize(path)
    .replace(/^\.?\//, '')
    .replace(/\/$/, '');
  return plain === '.' ? '' : plain;
}
