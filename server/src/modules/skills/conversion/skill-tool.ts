import { isRecord } from '@knowhow/shared/is-record';
import { z } from 'zod';
import { parseJson } from '../../../platform/lib/parse-json.ts';

/** Path of a skill's tool, and the value of `metadata.tool` in its frontmatter. */
export const toolFile = 'assets/tool.json';

/** Maximum size of a tool file in bytes. */
export const maxToolBytes = 256 * 1024;

/** Maximum steps of a flow. */
export const maxSteps = 100;

const text = z.string().max(100_000);

/** A setting entered by an admin, like `setup_args` of AnythingLLM. */
const settingSchema = z.object({
  name: z.string().min(1).max(100),
  hint: text.optional(),
  secret: z.boolean(),
  required: z.boolean(),
  default: text.optional(),
});

/** Sampling parameters for the tool's own model calls. */
const sampling = {
  temperature: z.number().min(0).max(2).optional(),
  maxTokens: z.number().int().min(1).max(1_000_000).optional(),
};

/** Maximum imports of a tool's code. */
export const maxImports = 50;

/** Reserved names: provided variables and JavaScript keywords. */
const takenNames: ReadonlySet<string> = new Set(
  `input executePrompt require arguments await break case catch class const continue debugger default delete do else enum
  eval export extends false finally for function if implements import in instanceof interface let new null package private
  protected public return static super switch this throw true try typeof var void while with yield __proto__`.split(
    /\s+/,
  ),
);

/** Whether generated code may have a variable of this name. */
export function isVariableName(name: string): boolean {
  return (
    name.length <= 100 &&
    /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name) &&
    !takenNames.has(name)
  );
}

const variableName = z.string().refine(isVariableName);

/** A module in the scope of the code, or one of its exports if named. */
const importSchema = z.object({
  /** `node:…`, or the path of a file of the skill. */
  module: z.string().max(400),
  name: z.string().max(100).optional(),
  as: variableName,
});
export type CodeImport = z.infer<typeof importSchema>;

/** Values in the scope of the code, by variable name. */
const contextSchema = z.record(variableName, z.unknown()).optional();

const runSchema = z.discriminatedUnion('type', [
  /** A handler of AnythingLLM: a module that exports `runtime.handler`. */
  z.object({
    type: z.literal('plugin'),
    handler: z.string(),
    settings: z.array(settingSchema).max(100),
  }),
  /** Steps in the format of AnythingLLM flows. */
  z.object({
    type: z.literal('flow'),
    steps: z
      .array(z.object({ type: z.string(), config: z.record(z.string(), z.unknown()) }))
      .max(maxSteps),
  }),
  /** A sequence of tool calls. */
  z.object({
    type: z.literal('steps'),
    steps: z
      .array(
        z.object({
          tool: z.string().min(1),
          params: z.record(z.string(), z.unknown()),
          output: z.string().optional(),
        }),
      )
      .min(1)
      .max(maxSteps),
  }),
  /** A module in the skill's folder, and the function to call. */
  z.object({
    type: z.literal('script'),
    script: z.string(),
    call: z.string(),
    /** Additional fields of its input. */
    context: contextSchema,
  }),
  /** Code that the model writes for each call, following the skill's instructions. */
  z.object({
    type: z.literal('generated'),
    ...sampling,
    imports: z.array(importSchema).max(maxImports).optional(),
    context: contextSchema,
  }),
  /** A single answer of the model to the skill's instructions. */
  z.object({ type: z.literal('prompt'), ...sampling }),
]);

/** A tool provided by a skill: `assets/tool.json`. */
export const skillToolSchema = z.object({
  name: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
  title: z.string().max(200).optional(),
  description: z.string().max(4096),
  /** JSON schema of type object. */
  parameters: z.record(z.string(), z.unknown()),
  examples: z
    .array(z.object({ prompt: text, call: text }))
    .max(50)
    .optional(),
  run: runSchema,
});
export type SkillTool = z.infer<typeof skillToolSchema>;
export type ToolSetting = z.infer<typeof settingSchema>;

/** Parses a tool file; undefined if invalid. */
export function parseSkillTool(text: string): SkillTool | undefined {
  return text.length > maxToolBytes ? undefined : skillToolSchema.safeParse(parseJson(text)).data;
}

/** Whether it runs code, which requires a runner and the user's consent. */
export function runsCode({ run }: SkillTool): boolean {
  return ['plugin', 'script', 'generated'].includes(run.type);
}

/** Converts a name into a valid tool name; empty if nothing usable remains. */
export function toolName(name: string): string {
  return name
    .trim()
    .slice(0, 1000)
    .replace(/[^A-Za-z0-9_-]+/g, '_')
    .replace(/^[-_]+|[-_]+$/g, '')
    .slice(0, 64);
}

const types: ReadonlySet<unknown> = new Set([
  'string',
  'number',
  'integer',
  'boolean',
  'object',
  'array',
]);
const otherTypes: Readonly<Record<string, string>> = {
  text: 'string',
  str: 'string',
  date: 'string',
  file: 'string',
  url: 'string',
  enum: 'string',
  int: 'integer',
  float: 'number',
  double: 'number',
  bool: 'boolean',
  list: 'array',
  map: 'object',
  json: 'object',
};

/** The JSON schema type for a type in any notation; undefined if unknown. */
export function typeName(written: unknown): string | undefined {
  const name = typeof written === 'string' ? written.trim().toLowerCase() : '';
  if (/\[\]$|^(?:array|list)\b/.test(name)) {
    return 'array';
  }
  const known = Object.hasOwn(otherTypes, name) ? otherTypes[name] : name;
  return types.has(known) ? known : undefined;
}

/** JSON schema of a source's parameters, with normalized types and a list of required ones. */
export function toJsonSchema(params: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const entries = Object.entries(params).filter(([name]) => name !== '__proto__');
  const properties = entries.map(([name, value]) => [name, propertyOf(value)]);
  const required = entries
    .filter(([, value]) => isRecord(value) && value.required === true)
    .map(([name]) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  };
}

function propertyOf(value: unknown): Record<string, unknown> {
  if (!isRecord(value)) {
    return typeof value === 'string' ? { description: value } : {};
  }
  const { required, type, description, enum: choices, ...others } = value;
  const name = typeName(type);
  return {
    ...others,
    ...(Array.isArray(required) ? { required } : {}),
    ...(Array.isArray(type)
      ? { type: type.filter((each) => types.has(each) || each === 'null') }
      : {}),
    ...(name === undefined ? {} : { type: name }),
    ...(typeof description === 'string' ? { description } : {}),
    ...(Array.isArray(choices) && choices.length > 0 ? { enum: choices } : {}),
  };
}
