import { BlockList, isIP } from 'node:net';

/** Why an address is not public. */
export type AddressKind = 'link-local' | 'private';

/** Link-local addresses, including cloud metadata services. */
const linkLocal = listOf(['169.254.0.0/16', '168.63.129.16/32', '100.100.100.200/32']);

/** IANA special-purpose registry, and multicast. */
const special = listOf([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
]);

const linkLocal6 = listOf(['fe80::/10', 'fd00:ec2::254/128', 'fd20:ce::254/128']);
const global6 = listOf(['2000::/3']);
/**
 * Exceptions: Teredo and other protocols, documentation, and 6to4, which embeds any IPv4 address.
 */
const special6 = listOf(['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']);
/** Addresses that embed IPv4: mapped, compatible, translated, and NAT64. */
const embedding6 = listOf(['::ffff:0:0/96', '::/96', '::ffff:0:0:0/96', '64:ff9b::/96']);

/**
 * Classifies a non-public address for SSRF protection; undefined if public.
 *
 * @param address IPv4 or IPv6, without brackets
 */
export function classifyAddress(address: string): AddressKind | undefined {
  const [plain = ''] = address.split('%');
  if (isIP(plain) === 4) {
    return kindOf4(plain);
  }
  if (linkLocal6.check(plain, 'ipv6')) {
    return 'link-local';
  }
  if (embedding6.check(plain, 'ipv6')) {
    return kindOf4(embedded4(plain));
  }
  return global6.check(plain, 'ipv6') && !special6.check(plain, 'ipv6') ? undefined : 'private';
}

/** Adds a range such as `10.0.0.0/8`, or a single address. */
export function addRange(list: BlockList, range: string): void {
  const [address = '', bits] = range.split('/');
  const isVersion6 = isIP(address) === 6;
  list.addSubnet(address, Number(bits ?? (isVersion6 ? 128 : 32)), isVersion6 ? 'ipv6' : 'ipv4');
}

function kindOf4(address: string): AddressKind | undefined {
  if (linkLocal.check(address)) {
    return 'link-local';
  }
  return special.check(address) ? 'private' : undefined;
}

/** The last 32 bits, which URLs write as two hexadecimal groups. */
function embedded4(address: string): string {
  const written = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [high = 0, low = 0] = `0:0${written}`
    .split(':')
    .slice(-2)
    .map((group) => Number.parseInt(group || '0', 16));
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

function listOf(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    addRange(list, range);
  }
  return list;
}
