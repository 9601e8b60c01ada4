import { createHash } from 'node:crypto';
import type { ConfigItem, ConfigKind } from '@knowhow/shared/config/admin-config';
import type { ContentFault } from '@knowhow/shared/config/health';
import type { RawItem } from './raw-items.ts';

/** An item as an admin gets it. */
export function configItem(
  kind: ConfigKind,
  item: RawItem,
  faults: readonly ContentFault[],
): ConfigItem {
  const path = `contents/${item.path}`;
  const found = faults.find((fault) => fault.path === path);
  const fault = found && kind === 'groups' ? inGroup(found, item.id) : found;
  return {
    id: item.id,
    path,
    ...(item.config ? { config: item.config } : {}),
    text: item.text,
    checksum: checksumOf(item),
    ...(fault ? { fault: { field: fault.field, message: fault.message } } : {}),
  };
}

/** Of what it says: white space does not count. */
export function checksumOf({ config, text }: RawItem): string {
  return createHash('sha256')
    .update(config ? JSON.stringify(config) : text)
    .digest('hex');
}

/** A mistake in one group keeps the whole file from being used: the others name it, too. */
function inGroup(fault: ContentFault, id: string): ContentFault {
  const own = `groups.${id}.`;
  return fault.field?.startsWith(own) ? { ...fault, field: fault.field.slice(own.length) } : fault;
}
