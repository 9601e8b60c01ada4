import type { Request } from 'express';
import { ipKeyGenerator } from 'express-rate-limit';

/** IPv6 users usually have at least a whole /64, so it is counted as one address. */
const ipv6Bits = 64;

/** The unit of rate limits: an IPv6 /64 or an IPv4 address, also when mapped into IPv6. */
export function addressBlock({ ip = '' }: Pick<Request, 'ip'>): string {
  return ipKeyGenerator(ip, ipv6Bits);
}
