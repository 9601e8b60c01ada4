import type { AdminTool, AdminToolSource } from '@knowhow/shared/config/admin-tools';
import { useSearchParams } from 'react-router';

/** The status of a tool; the first that applies. */
export type ToolState = 'fault' | 'changed' | 'source-off' | 'off' | 'on';

/** A tool with its source. */
export interface ListedTool {
  tool: AdminTool;
  source: AdminToolSource;
}

export interface ToolFilters {
  query: string;
  /** ID of a source; omitted for all. */
  source: string;
  state: ToolState | 'error' | '';
  page: number;
}

export const pageSize = 50;

export function getToolState({ tool, source }: ListedTool): ToolState {
  if (tool.fault !== undefined) {
    return 'fault';
  }
  if (tool.changed) {
    return 'changed';
  }
  if (!source.enabled) {
    return 'source-off';
  }
  return tool.enabled ? 'on' : 'off';
}

export function listTools(sources: readonly AdminToolSource[]): ListedTool[] {
  return sources.flatMap((source) => source.tools.map((tool) => ({ tool, source })));
}

/** Matching tools: each word occurs in a name or the description. */
export function filterTools(tools: readonly ListedTool[], filters: ToolFilters): ListedTool[] {
  const words = filters.query.toLowerCase().split(/\s+/).filter(Boolean);
  return tools.filter(({ tool, source }) => {
    if (filters.source !== '' && source.id !== filters.source) {
      return false;
    }
    if (
      filters.state === 'error' ? tool.lastError === undefined : !hasState(filters, tool, source)
    ) {
      return false;
    }
    const text = `${tool.title} ${tool.id} ${tool.name} ${tool.description}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

function hasState({ state }: ToolFilters, tool: AdminTool, source: AdminToolSource): boolean {
  return state === '' || getToolState({ tool, source }) === state;
}

export const toolStates = ['on', 'off', 'changed', 'fault', 'error'] as const;

/** The filters in the page's URL. Changing one returns to the first page. */
export function useToolFilters() {
  const [search, setSearch] = useSearchParams();
  const filters: ToolFilters = {
    query: search.get('query') ?? '',
    source: search.get('source') ?? '',
    state: toolStates.find((state) => state === search.get('state')) ?? '',
    page: Math.max(1, Number.parseInt(search.get('page') ?? '1', 10) || 1),
  };
  function change(changed: Partial<ToolFilters>): void {
    const { page, ...next } = { ...filters, page: 1, ...changed };
    const set = Object.entries({ ...next, page: page > 1 ? String(page) : '' });
    // Otherwise every pause in typing would add a history entry.
    setSearch(Object.fromEntries(set.filter(([, value]) => value !== '')), {
      replace: 'query' in changed,
    });
  }
  return { filters, change };
}
