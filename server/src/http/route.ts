import { parseWith } from '@knowhow/shared/describe-issue';
import type { AnyEndpoint, Endpoint, UploadEndpoint } from '@knowhow/shared/endpoint';
import { issuesOf, problem } from '@knowhow/shared/problem';
import type { Request, RequestHandler, Response, Router } from 'express';
import type { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import { checkRights } from '../access/rights/check-rights.ts';
import { watchAccess } from '../access/watch-access.ts';
import { cleanTexts } from './clean-texts.ts';
import { jsonBody } from './json-body.ts';
import { mayTakeLonger } from './limit-bodies.ts';
import { readUpload, type Upload } from './read-upload.ts';
import { refuseEmbedded } from './refuse-embedded.ts';
import { callerOf, renewCaller } from './session.ts';

/** What a handler gets: parsed input, and who asks. */
export interface Call<E extends AnyEndpoint> {
  params: z.output<E['params']>;
  query: z.output<E['query']>;
  body: z.output<E['body']>;
  caller: Caller;
  /** The language the caller reads, such as `de`; `en` when they did not say. */
  language: string;
  request: Request;
  response: Response;
}

/** Registers the one handler of a contract that is answered with JSON. */
export function route<E extends Endpoint>(
  router: Router,
  endpoint: E,
  handle: (call: Call<E>) => Promise<z.input<E['response']>> | z.input<E['response']>,
): void {
  register(router, endpoint, async (request, response) => {
    send(response, await handle(parseCall(endpoint, request, response)));
  });
}

/** Registers the one handler of a contract that takes a file. It is read when access is decided. */
export function uploadRoute<E extends UploadEndpoint>(
  router: Router,
  endpoint: E,
  handle: (call: Call<E>, upload: Upload) => Promise<z.input<E['response']>>,
): void {
  register(router, endpoint, async (request, response) => {
    const call = parseCall(endpoint, request, response);
    const upload = await readUpload(request, endpoint.maxBytes);
    const caller = await checkAccessAgain(endpoint, request);
    send(response, await handle({ ...call, caller }, upload));
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
 * Registers a handler under a contract's method and path. Access is decided before a body is read, and
 * again when it has been: whoever sends it may take minutes.
 */
export function register(router: Router, endpoint: AnyEndpoint, handler: RequestHandler): void {
  const method = endpoint.method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete';
  const guard = accessGuard(endpoint);
  if (endpoint.kind === 'upload') {
    router[method](endpoint.path, guard, mayTakeLonger, handler);
    return;
  }
  const download = endpoint.kind === 'file' && endpoint.isDownload ? [refuseEmbedded] : [];
  router[method](endpoint.path, guard, ...download, jsonBody, guardAgain(endpoint), handler);
}

/** Parses the input. Throws a problem that names the field. */
export function parseCall<E extends AnyEndpoint>(
  endpoint: E,
  request: Request,
  response: Response,
): Call<E> {
  return {
    params: parse(endpoint.params, joinWildcards(request.params)) as z.output<E['params']>,
    query: cleanTexts(parse(endpoint.query, request.query)) as z.output<E['query']>,
    body: cleanTexts(parse(endpoint.body, request.body)) as z.output<E['body']>,
    caller: callerOf(request),
    language: languageOf(request),
    request,
    response,
  };
}

function accessGuard(endpoint: AnyEndpoint): RequestHandler {
  return (request, _response, next) => {
    checkAccess(endpoint, callerOf(request));
    next();
  };
}

function guardAgain(endpoint: AnyEndpoint): RequestHandler {
  return async (request, _response, next) => {
    if (request.body !== undefined) {
      await checkAccessAgain(endpoint, request);
    }
    next();
  };
}

/** Decides as things are now, for what takes long. Answers who asks. */
export async function checkAccessAgain(endpoint: AnyEndpoint, request: Request): Promise<Caller> {
  if (endpoint.access === 'public') {
    return callerOf(request);
  }
  const caller = await renewCaller(request);
  checkAccess(endpoint, caller);
  return caller;
}

/** Breaks an answer off that is still being sent when whoever gets it may not have it any more. */
export function endWithAccess(endpoint: AnyEndpoint, request: Request): void {
  const end = () => request.res?.destroy();
  const endWatch = watchAccess(() => checkAccessAgain(endpoint, request), end);
  request.res?.once('close', endWatch);
}

/** The only place where access is decided. */
function checkAccess(endpoint: AnyEndpoint, caller: Caller): void {
  const { access, scope, inFrame } = endpoint;
  if (access === 'public') {
    return;
  }
  if (!caller.mayUse) {
    throw problem('not-signed-in', 'Sign in first, or send a key that is good.');
  }
  if (caller.scopes && (scope === undefined || !caller.scopes.has(scope))) {
    throw problem(
      'forbidden',
      scope === undefined
        ? 'No key is good for this: sign in.'
        : `This key is not good for this: it takes one with the scope "${scope}".`,
    );
  }
  if (caller.embeddedIn !== undefined && !inFrame) {
    throw problem('forbidden', 'This is not for a chat in another page: open Knowhow itself.');
  }
  if (access === 'admin') {
    checkRights(endpoint, caller);
  }
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

/** Express gives `*path` as a list of decoded segments. */
function joinWildcards(params: Request['params']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join('/') : value,
    ]),
  );
}

function languageOf(request: Request): string {
  const [first] = request.acceptsLanguages();
  return first === undefined || first === '*' ? 'en' : first;
}
