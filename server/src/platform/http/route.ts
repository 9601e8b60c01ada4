import { parseWith } from '@knowhow/shared/describe-issue';
import type { AnyEndpoint, Endpoint, UploadEndpoint } from '@knowhow/shared/endpoint';
import { withoutNul } from '@knowhow/shared/names';
import { issuesOf, problem } from '@knowhow/shared/problem';
import type { Request, RequestHandler, Response, Router } from 'express';
import type { z } from 'zod';
import { watchAccess } from '../lib/watch-access.ts';
import type { Caller } from './caller.ts';
import { checkAccess } from './check-access.ts';
import { jsonBody } from './json-body.ts';
import { liftBodyTimeout } from './limit-bodies.ts';
import { readUpload, type Upload } from './read-upload.ts';
import { type LargeUpload, type UploadFolder, withLargeUpload } from './read-upload-to-file.ts';
import { getCaller, recheckCaller } from './session.ts';

/** Input of a handler: validated request data and the caller. */
export interface Call<E extends AnyEndpoint> {
  params: z.output<E['params']>;
  query: z.output<E['query']>;
  body: z.output<E['body']>;
  caller: Caller;
  /** The caller's preferred language, such as `de`; `en` by default. */
  language: string;
  request: Request;
  response: Response;
}

/** Registers the handler of a contract with a JSON response. */
export function route<E extends Endpoint>(
  router: Router,
  endpoint: E,
  handle: (call: Call<E>) => Promise<z.input<E['response']>> | z.input<E['response']>,
): void {
  register(router, endpoint, async (request, response) => {
    send(response, await handle(parseCall(endpoint, request, response)));
  });
}

/**
 * Registers the handler of an upload contract. The file is read after access is checked.
 *
 * @param check throws if the call is refused whatever its file; called before the file is read. `handle` checks again
 *   what may have changed meanwhile
 */
export function uploadRoute<E extends UploadEndpoint>(
  router: Router,
  endpoint: E,
  handle: (call: Call<E>, upload: Upload) => Promise<z.input<E['response']>>,
  check?: (call: Call<E>) => Promise<void>,
): void {
  register(router, endpoint, async (request, response) => {
    const call = parseCall(endpoint, request, response);
    await check?.(call);
    const upload = await readUpload(request, endpoint.maxBytes);
    const rechecked = { ...call, caller: await recheckAccess(endpoint, request) };
    send(response, await handle(rechecked, upload));
  });
}

/**
 * The same for a file that may be too large for memory, which is in the folder until the answer is sent. `check` is
 * called again after the file is read.
 */
export function largeUploadRoute<E extends UploadEndpoint>(
  router: Router,
  endpoint: E,
  folder: UploadFolder,
  handle: (call: Call<E>, upload: LargeUpload) => Promise<z.input<E['response']>>,
  check?: (call: Call<E>) => Promise<void>,
): void {
  register(router, endpoint, async (request, response) => {
    const call = parseCall(endpoint, request, response);
    await check?.(call);
    const destination = { ...folder, maxBytes: endpoint.maxBytes };
    const answer = await withLargeUpload(request, destination, async (upload) => {
      const rechecked = { ...call, caller: await recheckAccess(endpoint, request) };
      await check?.(rechecked);
      return handle(rechecked, upload);
    });
    send(response, answer);
  });
}

function send(response: Response, answer: unknown): void {
  if (response.headersSent) {
    return;
  }
  if (answer === undefined) {
    response.status(204).end();
    return;
  }
  response.json(answer);
}

/**
 * Registers a handler under a contract's method and path. Access is checked before the body is read and again
 * afterwards, because receiving it may take minutes.
 */
export function register(router: Router, endpoint: AnyEndpoint, handler: RequestHandler): void {
  const method = endpoint.method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete';
  const guard = accessGuard(endpoint);
  if (endpoint.kind === 'upload') {
    router[method](endpoint.path, guard, liftBodyTimeout, handler);
    return;
  }
  const download = endpoint.kind === 'file' && endpoint.isDownload ? [rejectEmbeddedLoads] : [];
  router[method](endpoint.path, guard, ...download, jsonBody, accessRecheck(endpoint), handler);
}

/** Validates the input. Throws a problem that names the field. */
export function parseCall<E extends AnyEndpoint>(
  endpoint: E,
  request: Request,
  response: Response,
): Call<E> {
  return {
    params: parse(endpoint.params, joinWildcards(request.params)) as z.output<E['params']>,
    query: stripNul(parse(endpoint.query, request.query)) as z.output<E['query']>,
    body: stripNul(parse(endpoint.body, request.body)) as z.output<E['body']>,
    caller: getCaller(request),
    language: getLanguage(request),
    request,
    response,
  };
}

function accessGuard(endpoint: AnyEndpoint): RequestHandler {
  return (request, _response, next) => {
    checkAccess(endpoint, getCaller(request));
    next();
  };
}

function accessRecheck(endpoint: AnyEndpoint): RequestHandler {
  return async (request, _response, next) => {
    if (request.body !== undefined) {
      await recheckAccess(endpoint, request);
    }
    next();
  };
}

/** Checks access against the current state, for long-running requests. Returns the caller. */
export async function recheckAccess(endpoint: AnyEndpoint, request: Request): Promise<Caller> {
  if (endpoint.access === 'public') {
    return getCaller(request);
  }
  const caller = await recheckCaller(request);
  checkAccess(endpoint, caller);
  return caller;
}

/** Ends a running response when its recipient loses access. */
export function endOnAccessLoss(endpoint: AnyEndpoint, request: Request): void {
  const end = () => request.res?.destroy();
  const endWatch = watchAccess(() => recheckAccess(endpoint, request), end);
  request.res?.once('close', endWatch);
}

function parse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = parseWith(schema, value);
  if (result.success) {
    return result.data;
  }
  const issues = issuesOf(result.error);
  const first = issues[0];
  const prefix = first?.path ? `${first.path}: ` : '';
  throw problem('invalid-request', `${prefix}${first?.message ?? 'The request is not valid.'}`, {
    issues,
  });
}

/** Express returns `*path` as a list of decoded segments. */
function joinWildcards(params: Request['params']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join('/') : value,
    ]),
  );
}

function getLanguage(request: Request): string {
  const [first] = request.acceptsLanguages();
  return first === undefined || first === '*' ? 'en' : first;
}

/**
 * Strips NUL characters from every string in a parsed body or query, at any depth, in place. Paths are left
 * alone: one with NUL matches nothing.
 */
function stripNul(parsed: unknown): unknown {
  const pending: object[] = isObject(parsed) ? [parsed] : [];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const container = next as Record<string, unknown>;
    for (const key of Object.keys(container)) {
      const value = container[key];
      if (typeof value === 'string') {
        container[key] = withoutNul(value);
      } else if (isObject(value)) {
        pending.push(value);
      }
    }
  }
  return parsed;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

const allowedDestinations: ReadonlySet<string | undefined> = new Set(['empty', 'document']);

const allowedSites: ReadonlySet<string | undefined> = new Set(['same-origin', 'none']);

/**
 * Rejects subresource loads, such as an image in an answer, with Fetch Metadata
 * (https://www.w3.org/TR/fetch-metadata/). Allows followed links, `fetch` from our own pages, and programs,
 * which send none of these headers.
 */
const rejectEmbeddedLoads: RequestHandler = (request, _response, next) => {
  const destination = request.get('Sec-Fetch-Dest') ?? 'empty';
  const site = request.get('Sec-Fetch-Site') ?? 'none';
  if (!allowedDestinations.has(destination) || !allowedSites.has(site)) {
    throw problem(
      'foreign-origin',
      'Pages cannot embed this. Follow a link to it from a page of this server.',
    );
  }
  next();
};
