interface Address {
  host: string;
  port: number;
}

/**
 * Where a person on this machine opens a server that listens on `host` and `port`.
 *
 * @param publish where a container is reached that listens on all its addresses, as Compose writes it:
 * `8080` or `127.0.0.1:8080`
 */
export function addressToOpen(
  { host, port }: Address,
  publish: string | undefined,
): { url: string; isEverywhere: boolean } {
  const address = (isEveryAddress(host) && publishedAt(publish)) || { host, port };
  const known = everyAddress[address.host] ?? address.host;
  const url = `http://${known.includes(':') ? `[${known}]` : known}:${address.port}`;
  return { url, isEverywhere: isEveryAddress(address.host) };
}

/** Undefined for what is not understood: Compose judges it. */
function publishedAt(publish = ''): Address | undefined {
  const [, host, port] = /^(?:(.+):)?(\d{1,5})$/.exec(publish) ?? [];
  return port === undefined
    ? undefined
    : { host: host?.replace(/^\[(.+)\]$/, '$1') ?? '0.0.0.0', port: Number(port) };
}

function isEveryAddress(host: string): boolean {
  return Object.hasOwn(everyAddress, host);
}

/** What stands for all addresses is none that can be opened. */
const everyAddress: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };
