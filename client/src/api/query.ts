import type { Endpoint } from '@knowhow/shared/endpoint';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import { call } from './call.ts';
import type { Input } from './request.ts';

interface Page<Item> {
  items: Item[];
  total: number;
  nextCursor?: string | undefined;
}
type ListEndpoint = Endpoint<z.ZodObject, z.ZodObject, z.ZodType, z.ZodType<Page<unknown>>>;
type ItemOf<E extends ListEndpoint> = z.output<E['response']>['items'][number];

/** Query options for a contract. */
export function query<E extends Endpoint>(endpoint: E, input: Input<E>) {
  return queryOptions({
    queryKey: [endpoint.path, input],
    queryFn: ({ signal }) => call(endpoint, input, { signal }),
  });
}

/** Infinite query options for a list contract, one page at a time. */
export function pages<E extends ListEndpoint>(endpoint: E, input: Input<E>) {
  return infiniteQueryOptions({
    queryKey: [endpoint.path, 'pages', input],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ signal, pageParam }) => toPage(endpoint, input, pageParam, signal),
    getNextPageParam: (page: z.output<E['response']>) => page.nextCursor,
  });
}

/** Query options for all items of a list contract, up to 500 or `most`. */
export function allItems<E extends ListEndpoint>(endpoint: E, input: Input<E>, most = 500) {
  return queryOptions({
    queryKey: [endpoint.path, 'all', input, most],
    queryFn: async ({ signal }) => {
      const items: ItemOf<E>[] = [];
      let cursor: string | undefined;
      do {
        const page = await toPage(endpoint, input, cursor, signal);
        items.push(...page.items);
        cursor = page.nextCursor;
      } while (cursor !== undefined && items.length < most);
      return items;
    },
  });
}

/** Query key prefix of an endpoint, for any input: what to invalidate. */
export function endpointQueryFilter(endpoint: Endpoint): { queryKey: string[] } {
  return { queryKey: [endpoint.path] };
}

async function toPage<E extends ListEndpoint>(
  endpoint: E,
  input: Input<E>,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<z.output<E['response']>> {
  const asked = input as { params?: unknown; query?: Record<string, unknown> };
  const paged = { ...asked, query: { limit: 200, ...asked.query, cursor } };
  return call(endpoint, paged as Input<E>, { signal });
}
