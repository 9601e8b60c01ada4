import type { NetworkProvider } from './provider.ts';

interface AddressRule {
  /** The vendor's default base URL. */
  base: string;
  /** The path after a versioned base URL (`…/v1`). */
  path: string;
  /** Whether a base with a path but without a version (`https://host/gateway`) needs the version too. */
  alwaysVersioned?: boolean;
}

/** Version inserted before `path` if the base has none. */
const version = 'v1';

/** Builds endpoint URLs: appends the path to a base URL, and keeps a URL that already ends with it. */
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

/** Whether the last segment of a path is a version, such as `v1` or `v1beta`. */
export function endsWithVersion(path: string): boolean {
  return /(^|\/)v\d+\w*$/.test(path);
}

/** Strips leading and trailing slashes. */
export function trimSlashes(path: string): string {
  return path.replace(/^\/+|\/+$/g, '');
}
