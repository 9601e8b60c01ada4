import { targetOf } from './outbound-rules.ts';

const entryPattern = /^(\[[^\]]*\]|[^:]*)(?::(\d{1,5}))?$/;

/**
 * Whether an entry of an allowlist names the host and port of an address.
 *
 * @param entry `api.example.org`, `*.example.org` for all hosts below it, `[::1]`; without a port (`:8443`) only the
 * default ports are meant, 80 for http and 443 for https
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

/** In lower case, without the dot that may end a name. */
function normalHost(host: string): string {
  return host
    .trim()
    .toLowerCase()
    .replace(/\.(?=:\d+$|$)/, '');
}
