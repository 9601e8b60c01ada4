import { z } from 'zod';
import { parseJson } from '../../platform/lib/parse-json.ts';
import type { VisibleSkill } from './visible-skill.ts';

/** A parameter of a skill. */
export interface SkillParameter {
  name: string;
  type: 'string' | 'number' | 'integer' | 'boolean';
  description: string | undefined;
  required: boolean;
  /** All allowed values. */
  values: readonly string[] | undefined;
}

/** The parameter of a skill that only declares arguments after `/name`. */
export const wholeArguments = 'arguments';

const maxParameters = 50;
const types = ['string', 'number', 'integer', 'boolean'] as const;

const parameterSchema = z.object({
  type: z.enum(types).catch('string'),
  description: z.string().max(2000).optional().catch(undefined),
  required: z.boolean().optional().catch(undefined),
  enum: z.array(z.string().max(200)).min(1).max(100).optional().catch(undefined),
});
const nameSchema = z.string().regex(/^\w{1,50}$/);
const listSchema = z.array(parameterSchema.extend({ name: nameSchema })).max(maxParameters);
const mapSchema = z
  .record(nameSchema, parameterSchema)
  .refine((map) => Object.keys(map).length <= maxParameters);
const jsonSchemaSchema = z.object({
  type: z.literal('object'),
  properties: mapSchema,
  required: z.array(z.string()).optional(),
});

/**
 * The parameters of a skill: `metadata.parameters`, as JSON of a list with names, a map by name, or
 * a schema; otherwise a single text, if arguments are declared. Empty for a skill without
 * parameters or with invalid ones.
 */
export function getSkillParameters(skill: VisibleSkill): readonly SkillParameter[] {
  const known = cache.get(skill) ?? readParameters(skill);
  cache.set(skill, known);
  return known;
}

const cache = new WeakMap<VisibleSkill, readonly SkillParameter[]>();

function readParameters(skill: VisibleSkill): readonly SkillParameter[] {
  const written = Object.hasOwn(skill.metadata, 'parameters') ? skill.metadata.parameters : '';
  const declared = written ? declaredIn(parseJson(written)) : [];
  if (declared.length > 0 || !skill.declaresArguments) {
    return declared;
  }
  return [
    {
      name: wholeArguments,
      type: 'string',
      description: skill.argumentHint,
      required: false,
      values: undefined,
    },
  ];
}

function declaredIn(value: unknown): readonly SkillParameter[] {
  const schema = jsonSchemaSchema.safeParse(value).data;
  if (schema) {
    const { properties, required = [] } = schema;
    return ofMap(properties, (name) => required.includes(name));
  }
  const list = listSchema.safeParse(value).data;
  if (list) {
    return list.map(({ name, ...rest }) => parameter(name, rest, rest.required ?? false));
  }
  const map = mapSchema.safeParse(value).data;
  return map ? ofMap(map, (name) => map[name]?.required ?? false) : [];
}

type Written = z.output<typeof parameterSchema>;

function ofMap(
  map: Readonly<Record<string, Written>>,
  isRequired: (name: string) => boolean,
): readonly SkillParameter[] {
  return Object.entries(map).map(([name, written]) => parameter(name, written, isRequired(name)));
}

function parameter(name: string, written: Written, required: boolean): SkillParameter {
  const { type, description, enum: values } = written;
  return { name, type, description, required, values };
}

/** The parameters as a JSON schema of type object. */
export function parametersToSchema(parameters: readonly SkillParameter[]): Record<string, unknown> {
  const properties = parameters.map(({ name, type, description, values }) => [
    name,
    { type, ...(description ? { description } : {}), ...(values ? { enum: values } : {}) },
  ]);
  const required = parameters.filter((each) => each.required).map(({ name }) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  };
}

/** Validates arguments. Returns an error message, or undefined if they are valid. */
export function findArgumentIssue(
  parameters: readonly SkillParameter[],
  given: Readonly<Record<string, unknown>>,
): string | undefined {
  const unknown = Object.keys(given).find((key) => !parameters.some(({ name }) => name === key));
  if (unknown !== undefined) {
    const names = parameters.map(({ name }) => name).join(', ');
    return `There is no parameter "${unknown.slice(0, 100)}". Parameters: ${names}.`;
  }
  for (const { name, type, required, values } of parameters) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    if (value === undefined) {
      if (required) {
        return `"${name}" is missing.`;
      }
    } else if (!isOfType(value, type)) {
      return `"${name}" must be ${type === 'integer' ? 'an' : 'a'} ${type}.`;
    } else if (values && !values.includes(String(value))) {
      return `"${name}" must be one of: ${values.join(', ')}.`;
    }
  }
  return undefined;
}

function isOfType(value: unknown, type: SkillParameter['type']): boolean {
  return type === 'integer' ? Number.isInteger(value) : typeof value === type;
}
