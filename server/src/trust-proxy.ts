import { isIP } from 'node:net';

/** Named ranges supported by Express. */
const proxyNames = ['loopback', 'linklocal', 'uniquelocal'];

/**
 * Whether a value is valid for TRUST_PROXY: true, false, a number of proxies, or their addresses.
 */
export function isTrustProxy(value: string): boolean {
  return (
    /^(true|false|\d{1,3})$/.test(value) ||
    value.split(',').every((proxy) => proxyNames.includes(proxy.trim()) || isRange(proxy.trim()))
  );
}

/**
 * An address or a CIDR range such as `10.0.0.0/8`. `/0` is rejected, since it would trust everyone.
 */
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

export function parseTrustProxy(value: string): boolean | number | string {
  if (value === 'true' || value === 'false') {
    return value === 'true';
  }
  return /^\d+$/.test(value) ? Number(value) : value;
}
