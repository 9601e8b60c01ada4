import type { ConfigItem, ConfigKind } from '@knowhow/shared/config/admin-config';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../../api/call.ts';
import { allItems, query } from '../../../api/query.ts';
import { configApis } from './config-kind.ts';
import type { Config } from './config-value.ts';

interface Put {
  id: string;
  config: Config;
  /** Checksum of the replaced version; a new item has none. */
  checksum?: string;
}

/** Writes an item. Throws `changed-meanwhile` if the version has changed since it was read. */
export function usePutItem(kind: ConfigKind): (put: Put) => Promise<ConfigItem> {
  const queryClient = useQueryClient();
  const api = configApis[kind];
  return async ({ id, config, checksum }) => {
    const saved = await call(
      api.put,
      { params: { id }, body: config },
      checksum === undefined ? { mustBeNew: true } : { ifMatch: checksum },
    );
    queryClient.setQueryData(query(api.get, { params: { id } }).queryKey, saved);
    queryClient.setQueryData(allItems(api.list, {}).queryKey, (items) =>
      items?.map((item) => (item.id === id ? saved : item)),
    );
    // Apps, groups and models are shown on pages of every kind.
    void queryClient.invalidateQueries();
    return saved;
  };
}
