import { targetOf } from './outbound-rules.ts';

const entryPattern = /^(\[[^\]]*\]|[^:]*)(?::(\d{1,5}))?$/;

/**
 * Whether an allowlist entry matches a URL's host and port.
 *
 * @param entry `api.example.org`, `*.example.org` for all subdomains, `[::1]`; without a port
 *   (`:8443`) only the default ports match, 80 for http and 443 for https
 */
export function isListedHost(url: URL, entry: string): boolean {
  const [, listed = '', port] = entryPattern.exec(normalHost(entry)) ?? [];
  const host = normalHost(url.hostname);
  const isHost = listed.startsWith('*.')
    ? host.endsWith(listed.slice(1)) && host.length >= listed.length
    : host === listed;
  const defaultPort = url.protocol === 'https:' ? 443 : 80;
  return isHost && targetOf(url).port === Number(port ?? defaultPort);
}

/** Lowercase, without a trailing dot. */
function normalHost(host: string): string {
  return host
    .trim()
    .toLowerCase()
    .replace(/\.(?=:\d+$|$)/, '');
}
