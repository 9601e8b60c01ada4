import { isDeepStrictEqual } from 'node:util';
import type { PlatformConfig } from '@knowhow/shared/config/platform';
import type { Contents } from '../content/contents.ts';
import type { FileFault } from './read-configuration.ts';

/**
 * Who restores on the pages sends no secret of a client elsewhere by it, lets no proxy say who somebody is, and
 * opens no door wider: the file may hold only ways to come in that are here already, but for what they are called.
 */
export function newSignIns({
  now,
  contents,
  mayRunCommands,
}: {
  now: Contents;
  contents: Contents;
  mayRunCommands?: boolean | undefined;
}): FileFault[] {
  if (mayRunCommands) {
    return [];
  }
  const here = providersOf(now.platform);
  const names = providersOf(contents.platform)
    .filter((provider) => !here.some((known) => isDeepStrictEqual(known, provider)))
    .map(({ name }) => name);
  const proxy = proxyOf(contents.platform);
  if (proxy && !isDeepStrictEqual(proxy, proxyOf(now.platform))) {
    names.push('proxyAuth');
  }
  return names.length === 0
    ? []
    : [
        {
          path: 'contents/config/platform.json',
          code: 'sign-ins',
          message: `People would sign in in another way than now: ${names.join(', ')}. Whoever runs the server writes these as they are there into this file first, or restores with "npx knowhow restore". Or restore without "config".`,
        },
      ];
}

/** Those that are on: who is believed, who may come in, and where a secret is sent. */
function providersOf({ oidcAuth }: PlatformConfig) {
  return oidcAuth?.enabled === false
    ? []
    : (oidcAuth?.providers ?? [])
        .filter(({ enabled }) => enabled !== false)
        .map(({ displayName: _, enabled: _on, ...provider }) => ({
          ...provider,
          allowSelfSignup: provider.allowSelfSignup ?? oidcAuth?.allowSelfSignup ?? false,
        }));
}

function proxyOf({ proxyAuth }: PlatformConfig) {
  const { displayName: _, ...rest } = proxyAuth ?? {};
  return proxyAuth?.enabled === true ? rest : undefined;
}
