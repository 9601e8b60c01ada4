import { rightsFor } from '@knowhow/shared/access/rights-for';
import { type AnyEndpoint, noBody } from '@knowhow/shared/endpoint';
import { problemSchema } from '@knowhow/shared/problem';
import { z } from 'zod';
import { createPauses } from '../lib/create-pauses.ts';

type Json = Record<string, unknown>;

/** Maximum time on the main thread before yielding, in milliseconds. */
const sliceMs = 10;

/** Generates an OpenAPI 3.1 document from the contracts. Yields to other requests between endpoints. */
export async function openApiDocument(
  api: Record<string, Record<string, AnyEndpoint>>,
  version: string,
): Promise<Json> {
  const pause = createPauses(sliceMs);
  const paths: Record<string, Json> = {};
  for (const [area, endpoints] of Object.entries(api)) {
    for (const [name, endpoint] of Object.entries(endpoints)) {
      const path = endpoint.path.replace(/[:*](\w+)/g, '{$1}');
      paths[path] = {
        ...paths[path],
        [endpoint.method.toLowerCase()]: operation(area, name, endpoint),
      };
      await pause();
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Knowhow',
      version,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    paths,
    components: {
      schemas: { Problem: jsonSchema(problemSchema, 'output') },
      securitySchemes: {
        cookie: { type: 'apiKey', in: 'cookie', name: 'knowhow_session' },
        bearer: { type: 'http', scheme: 'bearer' },
      },
    },
  };
}

function operation(area: string, name: string, endpoint: AnyEndpoint): Json {
  return {
    tags: [area],
    operationId: `${area}.${name}`,
    summary: endpoint.summary,
    ...(endpoint.access === 'public' ? {} : { security: [{ cookie: [] }, { bearer: [] }] }),
    'x-access': endpoint.access,
    ...(endpoint.access === 'admin' ? { 'x-admin-rights': rightsFor(endpoint) } : {}),
    ...(endpoint.scope === undefined ? {} : { 'x-key-scope': endpoint.scope }),
    parameters: [...parameters(endpoint.params, 'path'), ...parameters(endpoint.query, 'query')],
    ...requestBody(endpoint),
    responses: {
      ...answer(endpoint),
      default: {
        description: 'A problem (RFC 9457)',
        content: {
          'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
        },
      },
    },
  };
}

function requestBody(endpoint: AnyEndpoint): Json {
  if (endpoint.kind === 'upload') {
    const file = { type: 'string', format: 'binary' };
    const form = { type: 'object', properties: { file }, required: ['file'] };
    const content = { 'multipart/form-data': { schema: form }, '*/*': { schema: file } };
    return { requestBody: { required: true, content } };
  }
  if (endpoint.body === noBody) {
    return {};
  }
  const content = { 'application/json': { schema: jsonSchema(endpoint.body, 'input') } };
  return { requestBody: { required: true, content } };
}

function answer(endpoint: AnyEndpoint): Json {
  if (endpoint.kind === 'stream') {
    const schema = jsonSchema(endpoint.event, 'output');
    const description =
      'Server-sent events. `type` is the name of the event, the other fields are its data.';
    const stream = { description, content: { 'text/event-stream': { schema } } };
    return endpoint.method === 'GET'
      ? { 200: stream, 204: { description: 'There is nothing to follow' } }
      : { 200: stream };
  }
  if (endpoint.kind === 'file') {
    return { 200: { description: 'The file', content: { '*/*': {} } } };
  }
  if (endpoint.response instanceof z.ZodVoid) {
    return { 204: { description: 'Done' } };
  }
  const schema = jsonSchema(endpoint.response, 'output');
  return { 200: { description: 'The answer', content: { 'application/json': { schema } } } };
}

function parameters(schema: z.ZodObject, location: 'path' | 'query'): Json[] {
  return Object.entries(schema.shape).map(([name, field]) => ({
    name,
    in: location,
    required: location === 'path' || !(field as z.ZodType).safeParse(undefined).success,
    schema: jsonSchema(field as z.ZodType, 'input'),
  }));
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _draft, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest;
}
