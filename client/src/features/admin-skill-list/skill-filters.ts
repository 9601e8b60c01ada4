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

/** The filters, order and page of the list, as stored in the page's URL. */
export interface SkillFilters {
  query: string;
  source: (typeof skillSourceKinds)[number] | undefined;
  status: SkillStatus | undefined;
  problems: SkillProblem | undefined;
  category: string | undefined;
  tag: string | undefined;
  /** A required tool. */
  tool: string | undefined;
  /** An app that offers it. */
  app: string | undefined;
  /** Undefined: best match first; without a search, by name. */
  sort: SkillSort | undefined;
  order: SkillOrder;
  /** From 1. */
  page: number;
}

export type SkillSorting = Pick<SkillFilters, 'sort' | 'order'>;

export const pageSize = 50;

/** Parses the filters from a URL; ignores invalid values. */
export function parseFilters(search: URLSearchParams): SkillFilters {
  const sort = parseEnum(sorts, search.get('sort'));
  const page = Number(search.get('page'));
  return {
    query: search.get('query')?.trim().slice(0, maxQueryLength) ?? '',
    source: parseEnum(skillSourceKinds, search.get('source')),
    status: parseEnum(skillStatuses, search.get('status')),
    problems: parseEnum(skillProblems, search.get('problems')),
    category: search.get('category') || undefined,
    tag: search.get('tag') || undefined,
    tool: search.get('tool') || undefined,
    app: search.get('app') || undefined,
    sort,
    order: parseEnum(orders, search.get('order')) ?? firstOrder(sort),
    page: Number.isInteger(page) && page > 1 ? page : 1,
  };
}

/** Writes the filters into a URL, without default values. */
export function serializeFilters(filters: SkillFilters): URLSearchParams {
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

/** The query parameters for the server. The cursor is the number of skills before the page. */
export function toSkillListQuery({ query, page, ...rest }: SkillFilters): ListQuery {
  return {
    ...rest,
    ...(query === '' ? {} : { query }),
    limit: pageSize,
    ...(page === 1 ? {} : { cursor: String((page - 1) * pageSize) }),
  };
}

/** The sort column; undefined if sorted by relevance. */
export function getSorting({ query, sort, order }: SkillFilters): SkillSorting {
  return { sort: sort ?? (query === '' ? 'name' : undefined), order };
}

/** Whether any filter is active. */
export function hasActiveFilters(filters: SkillFilters): boolean {
  return filters.query !== '' || countActiveFilters(filters) > 0;
}

/** The number of active filters, without the search. */
export function countActiveFilters(filters: SkillFilters): number {
  const { source, status, problems, category, tag, tool, app } = filters;
  return [source, status, problems, category, tag, tool, app].filter(Boolean).length;
}

/** The initial sort direction of a column: newest, or most, first. */
export function firstOrder(sort: SkillSort | undefined): SkillOrder {
  return sort === 'updated' || sort === 'uses' || sort === 'used' ? 'desc' : 'asc';
}

const sorts = ['name', 'status', 'source', 'updated', 'uses', 'used'] as const;
const orders = ['asc', 'desc'] as const;

function parseEnum<Value extends string>(
  known: readonly Value[],
  value: string | null,
): Value | undefined {
  return known.find((one) => one === value);
}
