import { maxQueryLength } from '@knowhow/shared/list';
import {
  type SkillProblem,
  type SkillStatus,
  skillProblems,
  skillSourceKinds,
  skillStatuses,
} from '@knowhow/shared/skills/admin-skill';
import type { adminSkillsApi } from '@knowhow/shared/skills/admin-skills';
import type { z } from 'zod';

type ListQuery = z.input<typeof adminSkillsApi.list.query>;
export type SkillSort = NonNullable<ListQuery['sort']>;
export type SkillOrder = NonNullable<ListQuery['order']>;

/** What part of the list is shown, in which order: what the page's address says. */
export interface SkillFilters {
  query: string;
  source: (typeof skillSourceKinds)[number] | undefined;
  status: SkillStatus | undefined;
  problems: SkillProblem | undefined;
  category: string | undefined;
  tag: string | undefined;
  /** A tool that is required. */
  tool: string | undefined;
  /** An app that offers it. */
  app: string | undefined;
  /** Undefined: what fits the words best comes first; without words, by name. */
  sort: SkillSort | undefined;
  order: SkillOrder;
  /** From 1. */
  page: number;
}

export type SkillSorting = Pick<SkillFilters, 'sort' | 'order'>;

export const pageSize = 50;

/** Reads the filters from an address; what makes no sense in it counts as not said. */
export function filtersOf(search: URLSearchParams): SkillFilters {
  const sort = oneOf(sorts, search.get('sort'));
  const page = Number(search.get('page'));
  return {
    query: search.get('query')?.trim().slice(0, maxQueryLength) ?? '',
    source: oneOf(skillSourceKinds, search.get('source')),
    status: oneOf(skillStatuses, search.get('status')),
    problems: oneOf(skillProblems, search.get('problems')),
    category: search.get('category') || undefined,
    tag: search.get('tag') || undefined,
    tool: search.get('tool') || undefined,
    app: search.get('app') || undefined,
    sort,
    order: oneOf(orders, search.get('order')) ?? firstOrder(sort),
    page: Number.isInteger(page) && page > 1 ? page : 1,
  };
}

/** Writes the filters into an address, without those that are as always. */
export function searchOf(filters: SkillFilters): URLSearchParams {
  const { sort, order, page } = filters;
  const said = {
    ...filters,
    order: order === firstOrder(sort) ? undefined : order,
    page: page === 1 ? undefined : String(page),
  };
  return new URLSearchParams(
    Object.entries(said).filter(([, value]) => value) as [string, string][],
  );
}

/** What the server is asked. A cursor of this list is the number of skills before the page. */
export function requestOf({ query, page, ...rest }: SkillFilters): ListQuery {
  return {
    ...rest,
    ...(query === '' ? {} : { query }),
    limit: pageSize,
    ...(page === 1 ? {} : { cursor: String((page - 1) * pageSize) }),
  };
}

/** The column that the list is sorted by; none where the best come first. */
export function sortingOf({ query, sort, order }: SkillFilters): SkillSorting {
  return { sort: sort ?? (query === '' ? 'name' : undefined), order };
}

/** Whether something is left out of the list. */
export function isNarrowed(filters: SkillFilters): boolean {
  return filters.query !== '' || countChosen(filters) > 0;
}

/** How many filters are set beside the search. */
export function countChosen(filters: SkillFilters): number {
  const { source, status, problems, category, tag, tool, app } = filters;
  return [source, status, problems, category, tag, tool, app].filter(Boolean).length;
}

/** The order that is wanted first when a column is sorted by: the newest, the most. */
export function firstOrder(sort: SkillSort | undefined): SkillOrder {
  return sort === 'updated' || sort === 'uses' || sort === 'used' ? 'desc' : 'asc';
}

const sorts = ['name', 'status', 'source', 'updated', 'uses', 'used'] as const;
const orders = ['asc', 'desc'] as const;

function oneOf<Value extends string>(
  known: readonly Value[],
  value: string | null,
): Value | undefined {
  return known.find((one) => one === value);
}
