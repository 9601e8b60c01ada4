import { isIP } from 'node:net';

/** What Express knows besides addresses and their ranges. */
const proxyNames = ['loopback', 'linklocal', 'uniquelocal'];

/** Whether it is what TRUST_PROXY takes: yes, no, a number of proxies, or their addresses. */
export function isTrustProxy(value: string): boolean {
  return (
    /^(true|false|\d{1,3})$/.test(value) ||
    value.split(',').every((proxy) => proxyNames.includes(proxy.trim()) || isRange(proxy.trim()))
  );
}

/** An address, or all with its first bits, as in `10.0.0.0/8`. All addresses (`/0`) is no list of proxies. */
function isRange(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const version = isIP(address);
  const max = version === 4 ? 32 : 128;
  return (
    version !== 0 &&
    more.length === 0 &&
    !address.includes('%') &&
    (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= max))
  );
}

export function trustProxyOf(value: string): boolean | number | string {
  if (value === 'true' || value === 'false') {
    return value === 'true';
  }
  return /^\d+$/.test(value) ? Number(value) : value;
}
