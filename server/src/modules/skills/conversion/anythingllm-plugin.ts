import { isRecord } from '@knowhow/shared/is-record';
import type { LeftPart } from '@knowhow/shared/skills/skill-origin';
import type { Diagnostic } from '@knowhow/shared/skills/skills';
import { diagnose, type PackedFile } from '@knowhow/skill-format';
import { makeSkill, originalPath, type SourceSkill } from './make-skill.ts';
import { readSourceJson, textIn, textsIn } from './read-source-json.ts';
import { type SkillTool, type ToolSetting, toJsonSchema, toolName } from './skill-tool.ts';
import { writePluginBody } from './write-plugin-body.ts';

type Manifest = Record<string, unknown>;

/** A folder of a source, with files by relative path. */
export interface SourceFolder {
  root: string;
  files: readonly PackedFile[];
}

/**
 * Converts an AnythingLLM plugin into a skill. A plugin with an invalid or missing `plugin.json`
 * gets an error and can only be viewed.
 */
export function convertAnythingllmPlugin({ root, files }: SourceFolder): SourceSkill {
  const manifestFile = files.find(({ path }) => path === 'plugin.json');
  const read = manifestFile && readSourceJson(manifestFile);
  const folder = root.slice(root.lastIndexOf('/') + 1);
  if (!read || 'reason' in read) {
    const fault = read
      ? diagnose('plugin-json-invalid', { values: { reason: read.reason } })
      : diagnose('plugin-json-missing');
    return brokenPlugin({ root, files }, folder, fault);
  }
  const manifest = read.value;
  const hubId = textIn(manifest.hubId) ?? (folder || (textIn(manifest.name) ?? ''));
  const handler = handlerIn(files);
  const tool = handler.exports ? toolOf(hubId, manifest) : undefined;
  return makeSkill({
    root,
    name: hubId || 'plugin',
    description: textIn(manifest.description) ?? textIn(manifest.long_description) ?? '',
    fields: { license: textIn(manifest.license) },
    metadata: {
      'hub-id': hubId,
      version: textIn(manifest.version),
      author: textIn(manifest.author),
      tags: textsIn(manifest.tags).join(', '),
    },
    body: writePluginBody({ manifest, hubId, tool, readme: readmeIn(files) }),
    tool,
    originals: files,
    diagnostics: findings({ manifest, folder, hubId, handler }),
    origin: {
      kind: 'anythingllm-plugin',
      name: hubId,
      mapped: [...mappedOf(manifest, tool), ...mappedReadme(files)],
      left: leftOf(manifest, handler),
      off: true,
    },
  });
}

function brokenPlugin({ root, files }: SourceFolder, folder: string, fault: Diagnostic) {
  return makeSkill({
    root,
    name: folder || 'plugin',
    description: `The plugin ${folder} of AnythingLLM, which cannot be read.`,
    body: '',
    originals: files,
    diagnostics: [fault],
    origin: { kind: 'anythingllm-plugin', name: folder, mapped: [], left: [], off: true },
  });
}

interface Handler {
  isThere: boolean;
  exports: boolean;
}

/** Detected statically; the code is never executed. */
function handlerIn(files: readonly PackedFile[]): Handler {
  const file = files.find(({ path }) => path === 'handler.js');
  return {
    isThere: file !== undefined,
    exports: file !== undefined && exportsHandler(Buffer.from(file.bytes).toString('utf8')),
  };
}

/** Whether a module appears to export `runtime.handler`. */
export function exportsHandler(source: string): boolean {
  return (
    /\bexports\b|\bexport\b/.test(source) &&
    /\bruntime\b/.test(source) &&
    /\bhandler\b\s*(?:[:=(]|,|\})/.test(source)
  );
}

interface Found {
  manifest: Manifest;
  folder: string;
  hubId: string;
  handler: Handler;
}

/** Checks from the vendor's troubleshooting list, as far as plugin.json is readable. */
function findings({ manifest, folder, hubId, handler }: Found): Diagnostic[] {
  const values = { folder, name: hubId };
  const isValued = settingsOf(manifest).some(({ hasValue }) => hasValue);
  return [
    ...(manifest.active === true ? [] : [diagnose('plugin-inactive')]),
    ...(handler.isThere ? [] : [diagnose('plugin-handler-missing')]),
    ...(handler.isThere && !handler.exports ? [diagnose('plugin-handler-export')] : []),
    ...(folder !== '' && folder !== hubId ? [diagnose('plugin-hub-id-mismatch', { values })] : []),
    ...(isRecord(manifest.entrypoint) ? [] : [diagnose('plugin-entrypoint-missing')]),
    ...(isValued ? [diagnose('plugin-holds-values')] : []),
  ];
}

function toolOf(hubId: string, manifest: Manifest): SkillTool | undefined {
  const name = toolName(hubId);
  if (name === '') {
    return undefined;
  }
  const examples = examplesOf(manifest);
  return {
    name,
    title: (textIn(manifest.name) ?? hubId).slice(0, 200),
    description: (textIn(manifest.description) ?? hubId).slice(0, 4096),
    parameters: parametersOf(manifest),
    ...(examples.length > 0 ? { examples } : {}),
    run: {
      type: 'plugin',
      handler: originalPath('handler.js'),
      settings: settingsOf(manifest).map(({ hasValue: _, ...setting }) => setting),
    },
  };
}

function parametersOf({ entrypoint }: Manifest): Record<string, unknown> {
  const params = isRecord(entrypoint) && isRecord(entrypoint.params) ? entrypoint.params : {};
  const isSchema = params.type === 'object' && isRecord(params.properties);
  const { required, properties } = params;
  if (!isSchema || !isRecord(properties)) {
    return toJsonSchema(params);
  }
  const schema = toJsonSchema(properties);
  return Array.isArray(required) ? { ...schema, required } : schema;
}

/** A call is JSON or a string containing JSON. */
function examplesOf({ examples }: Manifest): { prompt: string; call: string }[] {
  return (Array.isArray(examples) ? examples : []).slice(0, 50).flatMap((example) => {
    const prompt = isRecord(example) ? textIn(example.prompt) : undefined;
    const call = isRecord(example) ? example.call : undefined;
    const written = typeof call === 'string' ? call : JSON.stringify(call ?? {});
    return prompt === undefined ? [] : [{ prompt, call: written }];
  });
}

const secretName = /key|token|secret|passw|credential|auth/i;

function settingsOf(manifest: Manifest): (ToolSetting & { hasValue: boolean })[] {
  const args = isRecord(manifest.setup_args) ? manifest.setup_args : {};
  return Object.entries(args)
    .slice(0, 100)
    .flatMap(([name, value]) => {
      const { required, default: standard, input, type, ...others } = isRecord(value) ? value : {};
      const form = isRecord(input) ? input : {};
      const first = textIn(standard) ?? textIn(form.default);
      const hint = textIn(form.hint) ?? textIn(others.description) ?? textIn(form.placeholder);
      const isSecret = [form.type, type].includes('password') || secretName.test(name);
      return name === '' || name.length > 100
        ? []
        : [
            {
              name,
              ...(hint === undefined ? {} : { hint }),
              secret: isSecret,
              required: required === true,
              // Defaults that may be secrets must not be visible to everyone.
              ...(first === undefined || isSecret ? {} : { default: first }),
              hasValue: textIn(others.value) !== undefined,
            },
          ];
    });
}

function readmeIn(files: readonly PackedFile[]): PackedFile | undefined {
  return files.find(({ path }) => /^readme(?:\.md|\.txt)?$/i.test(path));
}

function mappedReadme(files: readonly PackedFile[]) {
  const readme = readmeIn(files);
  return readme ? [{ from: readme.path, to: 'SKILL.md' }] : [];
}

function mappedOf(manifest: Manifest, tool: SkillTool | undefined) {
  const to: [string, string][] = [
    ['hubId', 'name'],
    ['description', 'description'],
    ['long_description', 'SKILL.md'],
    ['examples', 'SKILL.md'],
    ['license', 'license'],
    ['version', 'metadata.version'],
    ['author', 'metadata.author'],
    ['tags', 'metadata.tags'],
    ...(tool ? ([['entrypoint', `tool ${tool.name}`]] as [string, string][]) : []),
    ...(tool ? ([['setup_args', 'settings of the tool']] as [string, string][]) : []),
  ];
  return to
    .filter(([key]) => manifest[key] !== undefined)
    .map(([from, target]) => ({ from, to: target }));
}

const noEffect = ['icon', 'preview', 'capabilities', 'permissions', 'verified'];

function leftOf(manifest: Manifest, handler: Handler): LeftPart[] {
  const fields = noEffect.filter((key) => manifest[key] !== undefined);
  return [
    ...fields.map((what) => ({ what, why: 'no-effect' as const })),
    ...(handler.isThere ? [{ what: 'handler.js', why: 'needs-runner' as const }] : []),
  ];
}
