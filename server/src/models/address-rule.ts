import type { NetworkProvider } from './provider.ts';

interface AddressRule {
  /** The vendor's own base. */
  base: string;
  /** The path after a base that names its version (`…/v1`). */
  path: string;
  /** Whether a base with a path but no version (`https://host/gateway`) wants the version as well. */
  alwaysVersioned?: boolean;
}

/** The version to put before `path` when the base names none. */
const version = 'v1';

/** Addresses of a base and a path: a base without the path gets it, a full endpoint is taken as it is. */
export function addressRule({
  base,
  path: end,
  alwaysVersioned = false,
}: AddressRule): NetworkProvider['address'] {
  return (config) => {
    const url = new URL(config.url || base);
    const path = trimSlashes(url.pathname);
    if (!endsWithPath(path, end)) {
      const needsVersion = !endsWithVersion(path) && (path === '' || alwaysVersioned);
      url.pathname = [path, needsVersion ? version : '', end].filter(Boolean).join('/');
    }
    return url.href;
  };
}

function endsWithPath(path: string, end: string): boolean {
  return path === end || path.endsWith(`/${end}`);
}

/** Whether the last part of a path is a version, such as `v1` or `v1beta`. */
export function endsWithVersion(path: string): boolean {
  return /(^|\/)v\d+\w*$/.test(path);
}

/** A path without slashes at its ends. */
export function trimSlashes(path: string): string {
  return path.replace(/^\/+|\/+$/g, '');
}
