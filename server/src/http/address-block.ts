import type { Request } from 'express';
import { ipKeyGenerator } from 'express-rate-limit';

/** Whoever has one address of IPv6 has at least all of a /64: they are counted as one. */
const ipv6Bits = 64;

/** What counts as one address in limits: IPv6 by /64, IPv4 within IPv6 as what it is. */
export function addressBlock({ ip = '' }: Pick<Request, 'ip'>): string {
  return ipKeyGenerator(ip, ipv6Bits);
}
