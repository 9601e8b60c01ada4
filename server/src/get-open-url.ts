interface Address {
  host: string;
  port: number;
}

/**
 * The URL at which a local user opens a server that listens on `host` and `port`.
 *
 * @param publish published port of a container, in Compose notation: `8080` or `127.0.0.1:8080`
 */
export function getOpenUrl(
  { host, port }: Address,
  publish: string | undefined,
): { url: string; isEverywhere: boolean } {
  const address = (isEveryAddress(host) && publishedAt(publish)) || { host, port };
  const known = wildcardAddresses[address.host] ?? address.host;
  const url = `http://${known.includes(':') ? `[${known}]` : known}:${address.port}`;
  return { url, isEverywhere: isEveryAddress(address.host) };
}

/** Undefined if invalid: Compose validates it. */
function publishedAt(publish = ''): Address | undefined {
  const [, host, port] = /^(?:(.+):)?(\d{1,5})$/.exec(publish) ?? [];
  return port === undefined
    ? undefined
    : { host: host?.replace(/^\[(.+)\]$/, '$1') ?? '0.0.0.0', port: Number(port) };
}

function isEveryAddress(host: string): boolean {
  return Object.hasOwn(wildcardAddresses, host);
}

/** Wildcard addresses cannot be opened, so loopback takes their place. */
const wildcardAddresses: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };
