import { isRecord } from '@knowhow/shared/is-record';
import { z } from 'zod';
import { parseJson } from '../lib/parse-json.ts';

/** Where a skill has the tool of its own, and what its frontmatter says of it: `metadata.tool`. */
export const toolFile = 'assets/tool.json';

/** A file of a tool is not larger, in bytes. */
export const mostToolBytes = 256 * 1024;

/** As many steps a flow may have: what is longer is no flow, but a program. */
export const mostSteps = 100;

const text = z.string().max(100_000);

/** A setting that an admin enters, as `setup_args` of AnythingLLM has it. */
const settingSchema = z.object({
  name: z.string().min(1).max(100),
  hint: text.optional(),
  secret: z.boolean(),
  required: z.boolean(),
  default: text.optional(),
});

/** How the model is asked by the tool itself. */
const sampling = {
  temperature: z.number().min(0).max(2).optional(),
  maxTokens: z.number().int().min(1).max(1_000_000).optional(),
};

/** As many imports the code of a tool may have. */
export const maxImports = 50;

/** Names that code cannot have for its own: what it is given, and words of JavaScript. */
const takenNames: ReadonlySet<string> = new Set(
  `input executePrompt require arguments await break case catch class const continue debugger default delete do else enum
  eval export extends false finally for function if implements import in instanceof interface let new null package private
  protected public return static super switch this throw true try typeof var void while with yield __proto__`.split(
    /\s+/,
  ),
);

/** Whether generated code can have a variable of that name. */
export function isVariableName(name: string): boolean {
  return (
    name.length <= 100 &&
    /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name) &&
    !takenNames.has(name)
  );
}

const variableName = z.string().refine(isVariableName);

/** A module that code finds in its scope; with a name, that export of it. */
const importSchema = z.object({
  /** `node:…`, or the path of a file of the skill. */
  module: z.string().max(400),
  name: z.string().max(100).optional(),
  as: variableName,
});
export type CodeImport = z.infer<typeof importSchema>;

/** Values that code finds in its scope, by the names of their variables. */
const contextSchema = z.record(variableName, z.unknown()).optional();

const runSchema = z.discriminatedUnion('type', [
  /** A handler of AnythingLLM: a module that exports `runtime.handler`. */
  z.object({
    type: z.literal('plugin'),
    handler: z.string(),
    settings: z.array(settingSchema).max(100),
  }),
  /** Steps as AnythingLLM's flows have them. */
  z.object({
    type: z.literal('flow'),
    steps: z
      .array(z.object({ type: z.string(), config: z.record(z.string(), z.unknown()) }))
      .max(mostSteps),
  }),
  /** Calls of tools, one after the other. */
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
      .max(mostSteps),
  }),
  /** A module below the skill's folder, and the function of it that is called. */
  z.object({
    type: z.literal('script'),
    script: z.string(),
    call: z.string(),
    /** Fields that its input has besides its own. */
    context: contextSchema,
  }),
  /** Code that the model writes for the call, as the instructions of the skill say. */
  z.object({
    type: z.literal('generated'),
    ...sampling,
    imports: z.array(importSchema).max(maxImports).optional(),
    context: contextSchema,
  }),
  /** One answer of the model that the instructions of the skill lead to. */
  z.object({ type: z.literal('prompt'), ...sampling }),
]);

/** The tool that a skill brings: `assets/tool.json`. */
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

/** The tool that a file describes; undefined where it describes none. */
export function parseSkillTool(text: string): SkillTool | undefined {
  return text.length > mostToolBytes ? undefined : skillToolSchema.safeParse(parseJson(text)).data;
}

/** Whether it runs code, which needs a runner and the consent of its user. */
export function runsCode({ run }: SkillTool): boolean {
  return ['plugin', 'script', 'generated'].includes(run.type);
}

/** What a name can be called as a tool; empty when nothing usable is left. */
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

/** The name of a type in JSON schema, for one written in whatever way; undefined for any. */
export function typeName(written: unknown): string | undefined {
  const name = typeof written === 'string' ? written.trim().toLowerCase() : '';
  if (/\[\]$|^(?:array|list)\b/.test(name)) {
    return 'array';
  }
  const known = Object.hasOwn(otherTypes, name) ? otherTypes[name] : name;
  return types.has(known) ? known : undefined;
}

/**
 * JSON schema of what a source says of parameters by their names; types as schemas have them, and what is
 * required in one list.
 */
export function schemaOf(params: Readonly<Record<string, unknown>>): Record<string, unknown> {
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
