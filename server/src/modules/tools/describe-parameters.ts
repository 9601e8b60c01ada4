import type { JsonSchemaObject } from '../models/index.ts';
import { adaptSchema, UnfitSchema } from './adapt-schema.ts';
import { findSchemaIssue } from './check-arguments.ts';

interface DescribedParameters {
  /** As sent to models; an object without properties if there is an issue. */
  schema: JsonSchemaObject;
  /** Why the tool cannot be offered to models, for admins. */
  fault: string | undefined;
}

const described = new WeakMap<object, DescribedParameters>();

/** Memoized: the JSON schema of a tool's arguments in the form that all vendors accept. */
export function describeParameters(parameters: Record<string, unknown>): DescribedParameters {
  const known = described.get(parameters) ?? describe(parameters);
  described.set(parameters, known);
  return known;
}

function describe(parameters: Record<string, unknown>): DescribedParameters {
  const none: JsonSchemaObject = { type: 'object', properties: {} };
  const fault = findSchemaIssue(parameters);
  if (fault !== undefined) {
    return { schema: none, fault };
  }
  try {
    const schema = adaptSchema(parameters);
    return { schema, fault: findSchemaIssue(schema) };
  } catch (error) {
    if (error instanceof UnfitSchema) {
      return { schema: none, fault: error.message };
    }
    throw error;
  }
}
