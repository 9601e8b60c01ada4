import type { AdminTool, AdminToolSource } from '@knowhow/shared/config/admin-tools';
import { adminToolsApi } from '@knowhow/shared/config/admin-tools';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { query } from '../../api/query.ts';

/** All sources with their tools. */
export const toolsQuery = query(adminToolsApi.list, {});

export interface ToolDecision {
  enabled?: boolean;
  /** Null: the source's default. */
  consent?: AdminTool['consent'] | null;
  /** A digest; null revokes the approval. */
  approved?: string | null;
  /** The digest of a changed tool. */
  accepted?: string;
}

/** Updates a tool, and refreshes it. */
export function useDecision() {
  const queryClient = useQueryClient();
  const { queryKey } = toolsQuery;
  const change = (changed: (source: AdminToolSource) => AdminToolSource) =>
    queryClient.setQueryData(queryKey, (known) => known && { sources: known.sources.map(changed) });
  const refresh = () => queryClient.invalidateQueries({ queryKey });
  const decide = useMutation({
    mutationFn: ({ name, decision }: { name: string; decision: ToolDecision }) =>
      call(adminToolsApi.put, { params: { name }, body: decision }),
    onSuccess: (tool) =>
      change((source) => ({
        ...source,
        tools: source.tools.map((known) => (known.id === tool.id ? tool : known)),
      })),
    // The reviewed version may be outdated.
    onError: refresh,
  });
  const switchSource = useMutation({
    mutationFn: ({ source, enabled }: { source: string; enabled: boolean }) =>
      call(adminToolsApi.putSource, { params: { source }, body: { enabled } }),
    onSuccess: (changed) => change((source) => (source.id === changed.id ? changed : source)),
    onError: refresh,
  });
  const connect = useMutation({
    mutationFn: (source: string) => call(adminToolsApi.connect, { params: { source } }),
    onSuccess: (changed) => change((source) => (source.id === changed.id ? changed : source)),
    onError: refresh,
  });
  return { decide, switchSource, connect };
}
