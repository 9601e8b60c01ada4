import type { Field } from './field.ts';

/** The subset of JSON Schema that zod generates. */
export interface Schema {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  format?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
}

export interface Parameter {
  name: string;
  in: 'path' | 'query';
  schema: Schema;
}

/** An endpoint of the contract, as the server describes it. */
export interface Operation {
  id: string;
  method: string;
  /** Contains `{name}` for each path parameter. */
  path: string;
  parameters: Parameter[];
  body: Schema | undefined;
  takesFile: boolean;
}

interface OpenApi {
  paths: Record<string, Record<string, OpenApiOperation>>;
}

interface OpenApiOperation {
  operationId: string;
  parameters: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema }> };
}

/**
 * Every endpoint: the server generates this description from the zod schemas in `shared/src/api.ts`, which it
 * also validates with.
 */
export async function readContract(field: Field): Promise<Operation[]> {
  const { body } = await field.ask({ method: 'GET', path: '/api/openapi.json' });
  const { paths } = JSON.parse(body.toString()) as OpenApi;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, parameters, requestBody }]) => ({
      id: operationId,
      method: method.toUpperCase(),
      path,
      parameters,
      body: requestBody?.content['application/json']?.schema,
      takesFile: requestBody?.content['multipart/form-data'] !== undefined,
    })),
  );
}
