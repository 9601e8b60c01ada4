import type { ConfigItem, ConfigKind } from '@knowhow/shared/config/admin-config';
import type { ContentIssue } from '@knowhow/shared/config/health';
import { sha256 } from '../../platform/lib/sha256.ts';
import type { RawItem } from './raw-items.ts';

/** An item as shown to administrators. */
export function configItem(
  kind: ConfigKind,
  item: RawItem,
  faults: readonly ContentIssue[],
): ConfigItem {
  const path = `contents/${item.path}`;
  const found = faults.find((fault) => fault.path === path);
  const fault = found && kind === 'groups' ? inGroup(found, item.id) : found;
  return {
    id: item.id,
    path,
    ...(item.config ? { config: item.config } : {}),
    text: item.text,
    checksum: computeChecksum(item),
    ...(fault ? { fault: { field: fault.field, message: fault.message } } : {}),
  };
}

/** Checksum of an item's content; ignores whitespace in JSON. */
export function computeChecksum({ config, text }: RawItem): string {
  return sha256(config ? JSON.stringify(config) : text);
}

/** An issue in one group makes the whole file unusable, so all groups report it. */
function inGroup(fault: ContentIssue, id: string): ContentIssue {
  const own = `groups.${id}.`;
  return fault.field?.startsWith(own) ? { ...fault, field: fault.field.slice(own.length) } : fault;
}
