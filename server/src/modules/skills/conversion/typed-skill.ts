import { isRecord } from '@knowhow/shared/is-record';
import { slug } from '@knowhow/shared/skills/skill-name';
import type { LeftPart } from '@knowhow/shared/skills/skill-origin';
import type { Diagnostic } from '@knowhow/shared/skills/skills';
import { diagnose, type PackedFile } from '@knowhow/skill-format';
import { readCodeScope } from './code-scope.ts';
import { createTextFile, makeSkill, originalPath, type SourceSkill } from './make-skill.ts';
import { readSourceJson, textIn } from './read-source-json.ts';
import { type SkillTool, toJsonSchema, toolName, typeName } from './skill-tool.ts';
import { tableSchema } from './table-schema.ts';
import {
  extractFence,
  findSection,
  firstParagraph,
  itemsIn,
  namesIn,
  plainHeading,
  readTypedDocument,
  type TypedDocument,
} from './typed-document.ts';
import { generates, type TypedKind } from './typed-kinds.ts';
import { readSteps } from './typed-steps.ts';
import {
  prompts,
  type Sampling,
  schemaFile,
  type TypedFacts,
  writeTypedBody,
} from './write-typed-body.ts';

interface Parameter {
  type?: string;
  description: string;
  required: boolean;
}

/**
 * JSON schema of a typed skill's parameters; undefined if it lists none. Unless stated otherwise,
 * only `Required Inputs` are required.
 */
function readParameters(document: TypedDocument): Record<string, unknown> | undefined {
  const found = new Map<string, Parameter>();
  for (const { names, required } of headings) {
    for (const item of itemsIn(findSection(document, ...names))) {
      const read = readItem(item, required);
      if (read && !found.has(read.name)) {
        found.set(read.name, read.parameter);
      }
    }
  }
  return found.size === 0 ? undefined : toJsonSchema(Object.fromEntries(found));
}

const headings = [
  { names: ['required inputs', 'required input'], required: true },
  { names: ['optional inputs', 'optional input'], required: false },
  { names: ['parameters', 'inputs', 'input', 'arguments', 'input format'], required: false },
];

/** Parses ``- `name` (type, required): text``, with any quotes, or plain words. */
function readItem(
  item: string,
  isRequired: boolean,
): { name: string; parameter: Parameter } | undefined {
  const named =
    /^(\*\*|`|"|)([A-Za-z_][\w.-]{0,63})\1(?:\s*\(([^()]*)\))?\s*(?:[:–—]|-\s|$)\s*(.*)$/s.exec(
      item.replace(/^\*\*`([^`]+)`\*\*/, '`$1`'),
    );
  if (!named) {
    // Words like "none" are not names.
    const name = slug(item).replaceAll('-', '_');
    return name === '' || name.length > 64 || item.length > 120
      ? undefined
      : { name, parameter: { type: 'string', description: item, required: isRequired } };
  }
  const [, , name = '', notes = '', description = ''] = named;
  if (/^(?:none|n\/a)$/i.test(name) && description === '') {
    return undefined;
  }
  const words = notes.split(',').map((word) => word.trim());
  const type = words.map(typeName).find((known) => known !== undefined);
  const hasNote = (pattern: RegExp) => words.some((word) => pattern.test(word));
  return {
    name,
    parameter: {
      ...(type === undefined ? {} : { type }),
      description,
      required: hasNote(/^(?:required|mandatory)\b/i) || (isRequired && !hasNote(/^optional\b/i)),
    },
  };
}

/** A typed skill's file and the files that belong to it. */
export interface TypedSource {
  /** Its folder, or the file itself if a folder has several. */
  root: string;
  kind: TypedKind;
  /** The unrecognized kind as written; `kind` is then `skill`. */
  unknownKind?: string | undefined;
  /** From the file or folder name; '' if neither has one. */
  name: string;
  /** With a path relative to the root. */
  main: PackedFile;
  files: readonly PackedFile[];
}

/** Converts a typed skill. */
export function convertTypedSkill(source: TypedSource): SourceSkill {
  const { root, kind, unknownKind, main, files } = source;
  const document = readTypedDocument(main.bytes);
  const name = source.name || document.title || '';
  const config = readConfig(document);
  const parameters = readParameters(document);
  const orchestration = findSection(document, 'orchestration');
  const read = kind === 'mskill' && orchestration ? readSteps(orchestration) : undefined;
  const steps = read && 'steps' in read ? read.steps : undefined;
  const script = codeKinds.has(kind) ? moduleOf(document, name, files) : undefined;
  const description = describe(document);
  const schema = kind === 'tskill' ? tableSchema(document, description) : undefined;
  const sampling = readSampling(config.value);
  const { scope, diagnostics } = codeKinds.has(kind)
    ? readCodeScope(document, config.value, files)
    : { scope: {}, diagnostics: [] };
  const typedFacts = {
    kind,
    name,
    document,
    description,
    parameters,
    steps,
    script,
    schema,
    sampling,
    scope,
  };
  const tool = description === '' || name === '' ? undefined : toolOf(typedFacts);
  const tools = namesIn(findSection(document, 'allowed tools', 'tools'));
  return makeSkill({
    root,
    name,
    description,
    fields: { 'allowed-tools': tools.length > 0 ? tools.join(' ') : undefined },
    metadata: {
      'skill-type': kind,
      'depends-on': namesIn(findSection(document, 'allowed skills')).join(', '),
      'requires-tools': kind === 'mskill' ? tools.join(', ') : undefined,
      parameters: parameters && JSON.stringify(parameters),
      'advisory-model': textIn(config.value?.model),
    },
    body: writeTypedBody(typedFacts),
    tool,
    files: schema ? [createTextFile(schemaFile, `${JSON.stringify(schema, null, 2)}\n`)] : [],
    originals: files,
    diagnostics: [
      ...(name === '' ? [diagnose('typed-name-missing')] : []),
      ...(unknownKind ? [diagnose('typed-kind-unknown', { values: { kind: unknownKind } })] : []),
      ...config.diagnostics,
      ...diagnostics,
      ...(read && 'reason' in read
        ? [invalidSection(orchestration?.heading ?? '', read.reason)]
        : []),
    ],
    origin: {
      kind: 'typed-skill',
      name: `${kind} ${name}`.trim(),
      mapped: mappedOf(document, { tool, schema }),
      left: leftOf(kind, withoutUsed(config.value, tool), script),
      off: false,
    },
  });
}

/** Kinds backed by code: a module they bundle, or code the model writes. */
const codeKinds: ReadonlySet<TypedKind> = new Set(['cskill', 'cgskill', 'dcgskill']);

/** The first paragraph, or a substitute: instructions also tell what the skill is for. */
function describe(document: TypedDocument): string {
  const sections = ['description', 'summary', 'table purpose', 'overview', ...prompts];
  const texts = [
    document.intro,
    ...sections.map((name) => findSection(document, name)?.text ?? ''),
  ];
  return texts.map(firstParagraph).find((text) => text !== '') ?? '';
}

function readConfig(document: TypedDocument): {
  value?: Record<string, unknown>;
  diagnostics: Diagnostic[];
} {
  const section = findSection(document, 'config');
  if (!section || section.text === '') {
    return { diagnostics: [] };
  }
  const bytes = Buffer.from(extractFence(section));
  const read = readSourceJson({ path: '', bytes, executable: false });
  return 'value' in read
    ? { value: read.value, diagnostics: [] }
    : { diagnostics: [invalidSection(section.heading, read.reason)] };
}

/** `temperature` and `maxTokens`, if valid. */
function readSampling(config: Record<string, unknown> | undefined): Sampling {
  const { temperature, maxTokens } = config ?? {};
  return {
    ...(typeof temperature === 'number' && temperature >= 0 && temperature <= 2
      ? { temperature }
      : {}),
    ...(Number.isInteger(maxTokens) && Number(maxTokens) >= 1 && Number(maxTokens) <= 1_000_000
      ? { maxTokens: Number(maxTokens) }
      : {}),
  };
}

function invalidSection(heading: string, reason: string): Diagnostic {
  return diagnose('typed-config-invalid', { values: { heading, reason } });
}

/** The module that a code skill names or bundles. */
function moduleOf(
  document: TypedDocument,
  name: string,
  files: readonly PackedFile[],
): string | undefined {
  const named = firstParagraph(findSection(document, 'module')?.text ?? '').replace(/[`*]/g, '');
  const stems = [named, 'src/index', `src/${name}`, name, 'index', `${name}.generated`];
  const wanted = stems
    .filter((stem) => stem !== '')
    .flatMap((stem) => [stem, `${stem}.mjs`, `${stem}.js`, `${stem}.cjs`]);
  return wanted.find((path) => /\.[mc]?js$/.test(path) && files.some((file) => file.path === path));
}

/** The tool for skills that run on their own; conversational ones remain instructions. */
function toolOf({ kind, name, description, ...typedFacts }: TypedFacts): SkillTool | undefined {
  const { parameters } = typedFacts;
  const run = runOf(kind, { ...typedFacts, hasParameters: parameters !== undefined });
  return (
    run && {
      name: toolName(`skill_${toolName(name)}`),
      title: (typedFacts.document.title ?? name).slice(0, 200),
      description: description.slice(0, 4096),
      parameters: parameters ?? freeInput,
      run,
    }
  );
}

const freeInput = {
  type: 'object',
  properties: { input: { type: 'string', description: 'What is to be done, and with what.' } },
  additionalProperties: false,
};

function runOf(
  kind: TypedKind,
  has: { hasParameters: boolean } & Pick<TypedFacts, 'steps' | 'script' | 'sampling' | 'scope'>,
): SkillTool['run'] | undefined {
  if (has.steps) {
    return { type: 'steps', steps: has.steps };
  }
  if (has.script !== undefined) {
    const { context } = has.scope;
    const script = originalPath(has.script);
    return { type: 'script', script, call: 'action', ...(context ? { context } : {}) };
  }
  if (generates(kind)) {
    return { type: 'generated', ...has.sampling, ...has.scope };
  }
  return kind === 'skill' && has.hasParameters ? { type: 'prompt', ...has.sampling } : undefined;
}

function mappedOf(
  document: TypedDocument,
  { tool, schema }: Pick<TypedFacts, 'schema'> & { tool: SkillTool | undefined },
) {
  const targets: Readonly<Record<string, string>> = {
    'allowed skills': 'metadata.depends-on',
    'allowed tools': 'allowed-tools',
    tools: 'allowed-tools',
    orchestration: tool ? `tool ${tool.name}` : 'assets/original',
    config: 'metadata.advisory-model',
    ...scopeTargets(tool),
    ...(schema && { fields: schemaFile, columns: schemaFile }),
  };
  return document.sections.map(({ heading }) => ({
    from: `## ${heading}`,
    to: targets[plainHeading(heading)] ?? 'SKILL.md',
  }));
}

/** Sections that become part of the code's scope. */
function scopeTargets(tool: SkillTool | undefined): Record<string, string> {
  const used = ['imports', 'context'].filter((name) => tool && name in tool.run);
  return Object.fromEntries(used.map((name) => [name, `tool ${tool?.name}`]));
}

/** The settings that have no effect. */
function withoutUsed(
  config: Record<string, unknown> | undefined,
  tool: SkillTool | undefined,
): Record<string, unknown> | undefined {
  const used = new Set(Object.keys(tool?.run ?? {}));
  return config && Object.fromEntries(Object.entries(config).filter(([key]) => !used.has(key)));
}

function leftOf(
  kind: TypedKind,
  config: Record<string, unknown> | undefined,
  script: string | undefined,
): LeftPart[] {
  const settings = isRecord(config) ? Object.keys(config).filter((key) => key !== 'model') : [];
  return [
    ...settings.map((what) => ({ what: `config.${what}`, why: 'no-effect' as const })),
    ...(script === undefined ? [] : [{ what: script, why: 'needs-runner' as const }]),
    ...(script === undefined && generates(kind)
      ? [{ what: 'generated code', why: 'needs-runner' as const }]
      : []),
    ...(kind === 'tskill' ? [{ what: 'operations', why: 'needs-database' as const }] : []),
  ];
}
