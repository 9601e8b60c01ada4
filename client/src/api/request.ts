import type { AnyEndpoint } from '@knowhow/shared/endpoint';
import {
  type Problem,
  type ProblemBody,
  problem,
  problemCodes,
  problemSchema,
} from '@knowhow/shared/problem';
import type { z } from 'zod';
import { Unreachable } from './unreachable.ts';

type Part<Name extends string, Value> = [Value] extends [undefined]
  ? unknown
  : Record<never, never> extends Value
    ? { [Key in Name]?: Value }
    : { [Key in Name]: Value };

/** The input of an endpoint: `params`, `query` and `body`, as far as its contract defines them. */
export type Input<E extends AnyEndpoint> = Part<'params', z.input<E['params']>> &
  Part<'query', z.input<E['query']>> &
  Part<'body', z.input<E['body']>>;

export interface RequestOptions {
  signal?: AbortSignal;
  /** Lets the request outlive the page (`keepalive`). */
  keepalive?: boolean;
  /** `If-Match`: the expected checksum. Rejected with `changed-meanwhile` if the resource has changed. */
  ifMatch?: string;
  /** `If-None-Match: *`: rejected with `name-taken` if the resource exists. */
  mustBeNew?: boolean;
}

interface AnyInput {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
}

/** Sends the request of a contract. Throws `Unreachable`, or the `Problem` that the server returned. */
export async function send<E extends AnyEndpoint>(
  endpoint: E,
  typedInput: Input<E>,
  { ifMatch, mustBeNew, ...options }: RequestOptions,
): Promise<Response> {
  // A contract's input has no other fields than these.
  const input = typedInput as AnyInput;
  const response = await fetch(buildUrl(endpoint, typedInput), {
    ...options,
    method: endpoint.method,
    headers: {
      // The language chosen in the app, which may differ from the browser's.
      'accept-language': document.documentElement.lang,
      accept: endpoint.kind === 'stream' ? 'text/event-stream' : 'application/json',
      ...(input.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(ifMatch === undefined ? {} : { 'if-match': `"${ifMatch}"` }),
      ...(mustBeNew ? { 'if-none-match': '*' } : {}),
    },
    body: input.body === undefined ? undefined : JSON.stringify(input.body),
  }).catch((error: unknown) => {
    throw options.signal?.aborted ? error : new Unreachable(error);
  });
  if (!response.ok) {
    throw await parseProblem(response);
  }
  return response;
}

/** The URL of a contract with its parameters filled in, for links and pictures. */
export function buildUrl<E extends AnyEndpoint>({ path }: E, input: Input<E>): string {
  const { params = {}, query = {} } = input as AnyInput;
  const filled = path
    .replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
    .replace(/\*(\w+)/g, (_, name: string) =>
      String(params[name]).split('/').map(encodeURIComponent).join('/'),
    );
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) {
      search.set(name, String(value));
    }
  }
  return search.size > 0 ? `${filled}?${search}` : filled;
}

/** The problem in an error response. */
export async function parseProblem(response: Response): Promise<Problem | Unreachable> {
  const body = problemSchema.safeParse(await response.json().catch(() => undefined));
  if (!body.success) {
    // Not our own problem format: a proxy in front of a server that is down, or no server at all.
    return new Unreachable(`HTTP ${response.status}`);
  }
  const retryAfter = Number(response.headers.get('retry-after')) || undefined;
  return toProblem(body.data, retryAfter);
}

/** A problem from its body; unknown codes become `internal`. */
export function toProblem({ code, detail, issues }: ProblemBody, retryAfter?: number): Problem {
  const known = problemCodes.find((each) => each === code) ?? 'internal';
  return problem(known, detail, { issues, retryAfter });
}
