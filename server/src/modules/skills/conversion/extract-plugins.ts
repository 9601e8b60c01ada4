import { posix } from 'node:path';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { isRecord } from '@knowhow/shared/is-record';
import {
  type LeftPart,
  type SourceModel,
  type SourcePlugin,
  sourceModelSchema,
} from '@knowhow/shared/skills/skill-origin';
import { diagnose, type PackedFile } from '@knowhow/skill-format';
import { getPluginRoot, isInManifestFolder } from '../archives/convertible-names.ts';
import { parentFolder } from '../archives/parent-folder.ts';
import type { SourceSkill } from './make-skill.ts';
import { listsSkills, readManifest, readMarketplace } from './plugin-manifest.ts';
import { pluginSkills } from './plugin-skills.ts';
import { maxSourceJsonBytes, readSourceJson, textIn } from './read-source-json.ts';
import { createRejectedSource } from './rejected-source.ts';

/** The rest of a source while plugins are extracted. */
interface Rest {
  skills: readonly SourceSkill[];
  files: readonly PackedFile[];
  plugins: readonly SourcePlugin[];
}

/** Extracts plugins with skills from a source, innermost first, and marketplace files. */
export async function extractPlugins(given: Omit<Rest, 'plugins'>): Promise<Rest> {
  const manifests = given.files
    .filter(({ path }) => getPluginRoot(path) !== undefined)
    .toSorted((one, other) => depthOf(other.path) - depthOf(one.path));
  let rest: Rest = { ...given, plugins: [] };
  for (const file of manifests) {
    rest = takePlugin(file, rest);
    await yieldToEventLoop();
  }
  for (const file of rest.files.filter(({ path }) => isList(path))) {
    rest = takeList(file, rest);
  }
  for (const file of rest.files.filter(({ path }) => /(?:^|\/)models\.json$/.test(path))) {
    rest = takeModels(file, rest);
  }
  for (const file of rest.files.filter(({ path }) => path.endsWith('.json'))) {
    rest = takeServers(file, rest);
  }
  return rest;
}

function takePlugin(file: PackedFile, rest: Rest): Rest {
  const root = getPluginRoot(file.path) ?? '';
  const isNamed = isInManifestFolder(file.path);
  const files = rest.files.filter((each) => each !== file);
  // The same plugin, packaged for another system.
  if (rest.plugins.some(({ folder }) => folder === root)) {
    return { ...rest, files };
  }
  const read =
    file.bytes.length > maxSourceJsonBytes ? { reason: 'it is too large.' } : readSourceJson(file);
  if ('reason' in read) {
    const fault = diagnose('plugin-json-invalid', { values: { reason: read.reason } });
    const at = posix.join(root, 'plugin.json');
    return isNamed
      ? { ...rest, files, skills: [...rest.skills, createRejectedSource(at, fault)] }
      : rest;
  }
  if (!isNamed && !listsSkills(read.value)) {
    return rest;
  }
  const manifest = readManifest(root, read.value, files);
  const brought = pluginSkills(manifest, { ...rest, files });
  const roots = new Set(brought.skills.map((skill) => skill.root));
  const { name, left } = manifest;
  return {
    skills: [...rest.skills.filter((skill) => !roots.has(skill.root)), ...brought.skills],
    files: files.filter(({ path }) => !brought.used.has(path)),
    plugins: [...rest.plugins, { name, folder: root, skills: brought.skills.length, left }],
  };
}

/** Also `api_marketplace.json` and the like. */
function isList(path: string): boolean {
  return /(?:^|\/)(?:[\w-]+_)?marketplace\.json$/.test(path);
}

function takeList(file: PackedFile, rest: Rest): Rest {
  const list = readMarketplace(file);
  if (!list) {
    return rest;
  }
  const left = list.elsewhere.map((what) => ({ what, why: 'elsewhere' as const }));
  const plugin = { name: list.name, folder: posix.dirname(file.path), skills: 0, left };
  return {
    ...rest,
    files: rest.files.filter((each) => each !== file),
    plugins: [...rest.plugins, plugin],
  };
}

/** Converts models of Achilles into entries an admin may add; the others are listed. */
function takeModels(file: PackedFile, rest: Rest): Rest {
  const read = file.bytes.length > maxSourceJsonBytes ? { reason: '' } : readSourceJson(file);
  const entries = 'value' in read ? Object.entries(read.value).slice(0, maxModels) : [];
  const models: SourceModel[] = [];
  const left: LeftPart[] = [];
  for (const [name, entry] of entries) {
    const { provider, model: modelId, apiKeyEnv } = isRecord(entry) ? entry : {};
    if (typeof provider !== 'string' || typeof modelId !== 'string') {
      continue;
    }
    const named = { id: name, name, provider: provider.toLowerCase(), modelId, enabled: false };
    const key = textIn(apiKeyEnv);
    const model = sourceModelSchema.safeParse({ ...named, ...(key && { apiKeyEnv: key }) });
    const details = [provider, modelId, key].filter(Boolean).join(', ');
    if (model.success) {
      models.push(model.data);
    } else {
      left.push({ what: `${name} (${details})`, why: 'model' });
    }
  }
  if (models.length + left.length === 0) {
    return rest;
  }
  const plugin = { name: 'models.json', folder: posix.dirname(file.path), skills: 0, left, models };
  return {
    ...rest,
    files: rest.files.filter((each) => each !== file),
    plugins: [...rest.plugins, plugin],
  };
}

const maxModels = 100;

/**
 * Lists MCP servers of a file such as `anythingllm_mcp_servers.json`: an admin enters them in
 * `mcp.json`.
 */
function takeServers(file: PackedFile, rest: Rest): Rest {
  const folder = parentFolder(file.path);
  const read = file.bytes.length > maxSourceJsonBytes ? { reason: '' } : readSourceJson(file);
  const servers = 'value' in read ? read.value.mcpServers : undefined;
  // Skills of a plugin are listed with the plugin.
  if (!isRecord(servers) || rest.plugins.some((plugin) => plugin.folder === folder)) {
    return rest;
  }
  const left = Object.keys(servers)
    .slice(0, maxServers)
    .map((what) => ({ what, why: 'mcp-server' as const }));
  const plugin = { name: posix.basename(file.path), folder, skills: 0, left };
  return {
    ...rest,
    files: rest.files.filter((each) => each !== file),
    plugins: [...rest.plugins, plugin],
  };
}

const maxServers = 200;

function depthOf(path: string): number {
  return path.split('/').length;
}
