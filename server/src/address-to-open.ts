/** The address at which a person on this machine opens a server that listens on `host`. */
export function addressToOpen(host: string, port: number): string {
  const known = everyAddress[host] ?? host;
  return `http://${known.includes(':') ? `[${known}]` : known}:${port}`;
}

/** Whether a server that listens on `host` is reached by all addresses of its machine. */
export function isEveryAddress(host: string): boolean {
  return Object.hasOwn(everyAddress, host);
}

/** What stands for all addresses is none that can be opened. */
const everyAddress: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };
