/**
 * Parses an entry of `MODEL_HOSTS` into an origin: a host with a port unless it is 443, or a plain HTTP URL
 * (`http://gpu.intranet:8000`). Undefined if invalid.
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

/** Formats an origin as an entry of `MODEL_HOSTS`. */
export function toModelHost(origin: string): string {
  return origin.replace(/^https:\/\//, '');
}
