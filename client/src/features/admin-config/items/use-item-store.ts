import type { ConfigKind } from '@knowhow/shared/config/admin-config';
import { call } from '../../../api/call.ts';
import { query } from '../../../api/query.ts';
import { configApis } from './config-kind.ts';
import { usePutItem } from './use-put-item.ts';
import type { ItemStore } from './use-save-item.ts';

/** Reads and writes an app, group, model or prompt. */
export function useItemStore(kind: ConfigKind, id: string): ItemStore {
  const put = usePutItem(kind);
  const api = configApis[kind];
  const input = { params: { id } };
  return {
    newest: { queryKey: query(api.get, input).queryKey, queryFn: () => call(api.get, input) },
    put: (config, checksum) => put({ id, config, checksum }),
    name: id,
  };
}
