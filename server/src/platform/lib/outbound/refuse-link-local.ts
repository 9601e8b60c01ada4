import { type LookupAddress, lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { classifyAddress } from './private-addresses.ts';

/** A link-local address, such as a cloud metadata service (SSRF). */
export class LinkLocalAddress extends Error {}

/** Throws `LinkLocalAddress` for an IP address; names are checked on lookup. */
export function refuseLinkLocal({ hostname }: URL): void {
  const address = hostname.replace(/^\[|\]$/g, '');
  if (isLinkLocal(address)) {
    throw new LinkLocalAddress(`${address} is a link-local address.`);
  }
}

/** `dns.lookup` that fails for names that resolve to a link-local address. */
export function lookupExceptLinkLocal(find: LookupFunction = lookup): LookupFunction {
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
  return isIP(address) !== 0 && classifyAddress(address) === 'link-local';
}
