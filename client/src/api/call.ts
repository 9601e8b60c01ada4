import type { Endpoint } from '@knowhow/shared/endpoint';
import { problem } from '@knowhow/shared/problem';
import type { z } from 'zod';
import { type Input, type RequestOptions, send } from './request.ts';

/** Calls an endpoint and returns its parsed response. Throws a `Problem` or `Unreachable`. */
export async function call<E extends Endpoint>(
  endpoint: E,
  input: Input<E>,
  options: RequestOptions = {},
): Promise<z.output<E['response']>> {
  const response = await send(endpoint, input, options);
  const body: unknown = response.status === 204 ? undefined : await response.json();
  const parsed = endpoint.response.safeParse(body);
  if (!parsed.success) {
    throw problem('internal', `The answer of ${endpoint.path} is not what was agreed.`, {
      cause: parsed.error,
    });
  }
  return parsed.data as z.output<E['response']>;
}
