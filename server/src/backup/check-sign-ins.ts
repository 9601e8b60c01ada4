import { isDeepStrictEqual } from 'node:util';
import type { PlatformConfig } from '@knowhow/shared/platform';
import type { Contents } from '../content/contents.ts';
import type { FileFault } from './read-configuration.ts';

/**
 * Who restores on the pages sends no secret of a client elsewhere by it, and lets no proxy say who somebody is:
 * the file may hold only providers that are here already.
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
  const { proxyAuth } = contents.platform;
  if (proxyAuth?.enabled === true && !isDeepStrictEqual(proxyAuth, now.platform.proxyAuth)) {
    names.push('proxyAuth');
  }
  return names.length === 0
    ? []
    : [
        {
          path: 'contents/config/platform.json',
          code: 'sign-ins',
          message: `People would sign in at other addresses than now: ${names.join(', ')}. Whoever runs the server adds these to this file first, or restores with "npx knowhow restore". Or restore without "config".`,
        },
      ];
}

/** All that says who is believed, and where a secret is sent. */
function providersOf({ oidcAuth }: PlatformConfig) {
  return (oidcAuth?.providers ?? []).map(({ name, issuer, clientId, clientSecretEnv }) => ({
    ...{ name, issuer, clientId, clientSecretEnv },
  }));
}
