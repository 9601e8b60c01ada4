import { z } from 'zod';
import type { KeyScope } from './access/key-scopes.ts';

/** Access level: anyone; a user (signed in, or anonymous if allowed); an admin. */
export type Access = 'public' | 'user' | 'admin';
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * The request of an endpoint. `path` uses Express 5 notation: `:name` is one segment, `*path` is
 * the rest.
 */
interface Request<Params extends z.ZodObject, Query extends z.ZodObject, Body extends z.ZodType> {
  method: Method;
  path: string;
  access: Access;
  /** The scope that an API key needs; undefined if keys are not accepted. */
  scope: KeyScope | undefined;
  /** Whether the chat of an embedded app may call it. */
  inFrame: boolean;
  summary: string;
  params: Params;
  query: Query;
  body: Body;
}

interface RequestOptions<
  Params extends z.ZodObject,
  Query extends z.ZodObject,
  Body extends z.ZodType,
> {
  method: Method;
  path: string;
  access: Access;
  scope?: KeyScope;
  /** By default true for endpoints that keys may call, except for `mcp`. */
  inFrame?: boolean;
  summary: string;
  params?: Params;
  query?: Query;
  body?: Body;
}

type Empty = z.ZodObject<Record<never, never>, z.core.$strict>;
const empty: Empty = z.strictObject({});

/** For users, and for keys with the scope `chat`. */
export const forChat = { access: 'user', scope: 'chat' } as const;

/** For an endpoint without a body. Some clients send `{}` anyway. */
export const noBody = empty.optional().transform(() => undefined);

export interface Endpoint<
  Params extends z.ZodObject = z.ZodObject,
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodType = z.ZodType,
  Response extends z.ZodType = z.ZodType,
> extends Request<Params, Query, Body> {
  kind: 'json' | 'file';
  /**
   * Costs or reveals something: only an explicit request gets it, not an automatic one of a page.
   */
  isDownload: boolean;
  response: Response;
}

export interface StreamEndpoint<
  Params extends z.ZodObject = z.ZodObject,
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodType = z.ZodType,
  Event extends z.ZodType = z.ZodType,
> extends Request<Params, Query, Body> {
  kind: 'stream';
  event: Event;
}

/** Accepts a file: raw bytes, or a form with one field `file`. Responds once, with JSON. */
export interface UploadEndpoint<
  Params extends z.ZodObject = z.ZodObject,
  Query extends z.ZodObject = z.ZodObject,
  Response extends z.ZodType = z.ZodType,
> extends Request<Params, Query, z.ZodUndefined> {
  kind: 'upload';
  /** Maximum file size in bytes. */
  maxBytes: number;
  response: Response;
}

export type AnyEndpoint = Endpoint | StreamEndpoint | UploadEndpoint;

/** An endpoint with a JSON response. `response: z.void()` is 204 without a body. */
export function endpoint<
  Response extends z.ZodType,
  Params extends z.ZodObject = Empty,
  Query extends z.ZodObject = Empty,
  Body extends z.ZodType = z.ZodUndefined,
>(
  options: RequestOptions<Params, Query, Body> & { response: Response },
): Endpoint<Params, Query, Body, Response> {
  return { ...requestOf(options), kind: 'json', isDownload: false, response: options.response };
}

/** An endpoint whose response is a file of any type. */
export function fileEndpoint<Params extends z.ZodObject = Empty, Query extends z.ZodObject = Empty>(
  options: RequestOptions<Params, Query, z.ZodUndefined> & { isDownload: boolean },
): Endpoint<Params, Query, z.ZodUndefined, z.ZodUnknown> {
  const { isDownload } = options;
  return { ...requestOf(options), kind: 'file', isDownload, response: z.unknown() };
}

/** An endpoint that accepts a file and responds with JSON. */
export function uploadEndpoint<
  Response extends z.ZodType,
  Params extends z.ZodObject = Empty,
  Query extends z.ZodObject = Empty,
>(
  options: RequestOptions<Params, Query, z.ZodUndefined> & { maxBytes: number; response: Response },
): UploadEndpoint<Params, Query, Response> {
  const { maxBytes, response } = options;
  return { ...requestOf(options), kind: 'upload', maxBytes, response };
}

/** An endpoint that responds with server-sent events of the shape `event`. */
export function streamEndpoint<
  Event extends z.ZodType,
  Params extends z.ZodObject = Empty,
  Query extends z.ZodObject = Empty,
  Body extends z.ZodType = z.ZodUndefined,
>(
  options: RequestOptions<Params, Query, Body> & { event: Event },
): StreamEndpoint<Params, Query, Body, Event> {
  return { ...requestOf(options), kind: 'stream', event: options.event };
}

function requestOf<Params extends z.ZodObject, Query extends z.ZodObject, Body extends z.ZodType>(
  options: RequestOptions<Params, Query, Body>,
): Request<Params, Query, Body> {
  const { method, path, access, scope, summary } = options;
  const { inFrame = scope === 'chat' || scope === 'skills' } = options;
  return {
    method,
    path,
    access,
    scope,
    inFrame,
    summary,
    // The compiler cannot see that these defaults match those of the type parameters.
    params: options.params ?? (empty as unknown as Params),
    query: options.query ?? (empty as unknown as Query),
    body: options.body ?? (noBody as unknown as Body),
  };
}
