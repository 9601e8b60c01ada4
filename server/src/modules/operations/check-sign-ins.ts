import { isDeepStrictEqual } from 'node:util';
import type { PlatformConfig } from '@knowhow/shared/config/platform';
import type { Contents } from '../content/contents.ts';
import type { FileFault } from './read-configuration.ts';

/**
 * A restore in the admin pages must not redirect client secrets, trust another proxy or widen the access policy. So
 * it may only contain sign-in methods that are configured already, except for display names.
 */
export function findNewSignIns({
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
  const current = enabledProviders(now.platform);
  const names = enabledProviders(contents.platform)
    .filter((provider) => !current.some((known) => isDeepStrictEqual(known, provider)))
    .map(({ name }) => name);
  const proxy = enabledProxy(contents.platform);
  if (proxy && !isDeepStrictEqual(proxy, enabledProxy(now.platform))) {
    names.push('proxyAuth');
  }
  return names.length === 0
    ? []
    : [
        {
          path: 'contents/config/platform.json',
          code: 'sign-ins',
          message: `It changes these sign-in methods: ${names.join(', ')}. The server's operator writes these as they are there into this file first, or restores with "npx knowhow restore". Or restore without "config".`,
        },
      ];
}

/**
 * The enabled providers with everything that determines who is trusted, who may sign in, and where secrets are sent.
 */
function enabledProviders({ oidcAuth }: PlatformConfig) {
  return oidcAuth?.enabled === false
    ? []
    : (oidcAuth?.providers ?? [])
        .filter(({ enabled }) => enabled !== false)
        .map(({ displayName: _, enabled: _on, ...provider }) => ({
          ...provider,
          allowSelfSignup: provider.allowSelfSignup ?? oidcAuth?.allowSelfSignup ?? false,
        }));
}

function enabledProxy({ proxyAuth }: PlatformConfig) {
  const { displayName: _, ...rest } = proxyAuth ?? {};
  return proxyAuth?.enabled === true ? rest : undefined;
}
