import { type LookupAddress, lookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { addRange, classifyAddress } from './private-addresses.ts';

type OutboundRule = 'address' | 'protocol' | 'redirect' | 'size' | 'time';

/** A rejected or aborted request. The message names the host and the rule. */
export class OutboundRefused extends Error {
  readonly rule: OutboundRule;

  constructor(rule: OutboundRule, message: string) {
    super(message);
    this.rule = rule;
  }
}

/** Allowlist for addresses outside the public internet. */
export interface OutboundRules {
  /** Throws `OutboundRefused` for a forbidden IP address; names are checked on lookup. */
  checkHost(target: Target): void;
  /** `dns.lookup` for the connection itself, against DNS rebinding; fails if any address is forbidden. */
  lookupFor(target: Target): LookupFunction;
}

/** An allowlist entry for exactly one port, including default ports. */
export function hostAndPort(url: Pick<URL, 'hostname' | 'port' | 'protocol'>): string {
  const { host, port } = targetOf(url);
  return `${host}:${port}`;
}

const defaultPorts: Readonly<Record<string, number>> = { 'https:': 443, 'ssh:': 22 };

export function targetOf({
  hostname,
  port,
  protocol,
}: Pick<URL, 'hostname' | 'port' | 'protocol'>): Target {
  return { host: hostname, port: Number(port || (defaultPorts[protocol] ?? 80)) };
}

interface Target {
  /** In URL notation. */
  host: string;
  port: number;
}

/**
 * @param allowed hosts (`mcp.internal`) with or without port, addresses and ranges (`10.1.0.0/16`);
 *   names on the list may resolve to private addresses, never to link-local ones
 */
export function outboundRules(
  allowed: readonly string[],
  find: LookupFunction = lookup,
): OutboundRules {
  const ranges = new BlockList();
  const isRange = (entry: string) => isIP(entry.split('/')[0] ?? '') !== 0;
  for (const entry of allowed.filter(isRange)) {
    addRange(ranges, entry);
  }
  const hosts = new Set(allowed.filter((entry) => !isRange(entry)).map(normalHost));
  const checkAddress = (address: string, target: Target) => {
    const kind = classifyAddress(address);
    if (!kind || ranges.check(address.split('%')[0] ?? '', isIP(address) === 6 ? 'ipv6' : 'ipv4')) {
      return;
    }
    const host = normalHost(target.host);
    const isNamed = isIP(host) === 0;
    const isListed = hosts.has(host) || hosts.has(`${host}:${target.port}`);
    if (!isListed || (kind === 'link-local' && isNamed)) {
      throw new OutboundRefused('address', refusalOf(target.host, kind));
    }
  };
  const lookupFor =
    (target: Target): LookupFunction =>
    (hostname, options, callback) =>
      find(hostname, options, (error, found, family) => {
        const addresses: LookupAddress[] =
          typeof found === 'string' ? [{ address: found, family: family ?? 4 }] : (found ?? []);
        const refusal = error ?? refusalAmong(addresses, (each) => checkAddress(each, target));
        callback(refusal, refusal ? [] : found, family);
      });
  const checkHost = (target: Target) => {
    const host = normalHost(target.host);
    if (isIP(host) !== 0) {
      checkAddress(host, target);
    }
  };
  return { checkHost, lookupFor };
}

function refusalAmong(
  addresses: readonly LookupAddress[],
  check: (address: string) => void,
): Error | null {
  try {
    for (const { address } of addresses) {
      check(address);
    }
    return null;
  } catch (error) {
    return error as Error;
  }
}

function refusalOf(host: string, kind: string): string {
  const what = isIP(normalHost(host)) === 0 ? `leads to a ${kind} address` : `is a ${kind} address`;
  return `${host} ${what}, which nothing from here may reach unless outbound.allowPrivate of config/platform.json lists it.`;
}

/** Lowercase, without brackets and trailing dot. */
function normalHost(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[|\](?=:|$)/g, '')
    .replace(/\.(?=:|$)/, '');
}
