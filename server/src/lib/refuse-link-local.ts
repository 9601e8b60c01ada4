import { type LookupAddress, lookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** An address that only a machine and its host share. */
export class LinkLocalAddress extends Error {}

/** Where clouds hand a machine its own credentials; no server that people run is there. */
const linkLocal = new BlockList();
linkLocal.addSubnet('169.254.0.0', 16, 'ipv4');
linkLocal.addSubnet('fe80::', 10, 'ipv6');
// 169.254.0.0/16 by way of NAT64.
linkLocal.addSubnet('64:ff9b::a9fe:0', 112, 'ipv6');
// Amazon's, Google's and Alibaba's outside of these ranges.
linkLocal.addAddress('fd00:ec2::254', 'ipv6');
linkLocal.addAddress('fd20:ce::254', 'ipv6');
linkLocal.addAddress('100.100.100.200', 'ipv4');

/** Throws a `LinkLocalAddress` for such an address; a name is looked at when it is looked up. */
export function refuseLinkLocal({ hostname }: URL): void {
  const address = hostname.replace(/^\[|\]$/g, '');
  if (isLinkLocal(address)) {
    throw new LinkLocalAddress(`${address} is a link-local address.`);
  }
}

/** `dns.lookup` that fails for names that lead to such an address. */
export function lookupElsewhere(find: LookupFunction = lookup): LookupFunction {
  return (hostname, options, callback) =>
    find(hostname, options, (error, found, family) => {
      const addresses: LookupAddress[] =
        typeof found === 'string' ? [{ address: found, family: family ?? 4 }] : (found ?? []);
      const isRefused = !error && addresses.some(({ address }) => isLinkLocal(address));
      const refusal = new LinkLocalAddress(`${hostname} leads to a link-local address.`);
      callback(isRefused ? refusal : error, isRefused ? [] : found, family);
    });
}

function isLinkLocal(address: string): boolean {
  const version = isIP(address);
  return version !== 0 && linkLocal.check(address, version === 6 ? 'ipv6' : 'ipv4');
}
