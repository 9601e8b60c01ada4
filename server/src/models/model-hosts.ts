/**
 * The origin that an entry of `MODEL_HOSTS` stands for: a host, with a port if it is not 443, or an
 * address in clear text when it says so (`http://gpu.intranet:8000`). Undefined for anything else.
 */
export function parseModelHost(entry: string): string | undefined {
  const address = entry.includes('://') ? entry : `https://${entry}`;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isOrigin =
    url !== undefined &&
    /^https?:$/.test(url.protocol) &&
    !url.hostname.includes('*') &&
    url.href === `${url.origin}/`;
  return isOrigin ? url.origin : undefined;
}

/** An origin as `MODEL_HOSTS` takes it. */
export function modelHostOf(origin: string): string {
  return origin.replace(/^https:\/\//, '');
}
